import Foundation

/// Where the build put what the tests run: executables and plugin libraries.
package enum BuildProducts {
  /// The folder of the running test binary, absolute.
  package static var directory: String {
    get throws {
      let own = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
      return URL(fileURLWithPath: own).deletingLastPathComponent().path
    }
  }

  /// The path of a built executable, such as `vmhost`.
  package static func executable(_ name: String) throws -> String {
    let path = try directory + "/" + name
    guard FileManager.default.isExecutableFile(atPath: path) else { throw missing(path) }
    return path
  }

  /// The path of a built dynamic library: `movies` is found as `libmovies.so`.
  package static func library(_ name: String) throws -> String {
    let path = try directory + "/lib\(name).so"
    guard FileManager.default.isReadableFile(atPath: path) else { throw missing(path) }
    return path
  }

  private static func missing(_ path: String) -> TestSupportError {
    TestSupportError(
      "No build product at \(path). The tests run built products: `swift test` builds them all, "
        + "`swift test --skip-build` needs a `swift build --build-tests` before it.")
  }
}
