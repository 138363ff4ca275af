import Foundation

/// Programs of the machine that some tests need.
package enum Programs {
  /// The path of the first program of this name in PATH; nil if there is none.
  package static func path(of name: String) -> String? {
    let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
    return path.split(separator: ":").map { "\($0)/\(name)" }
      .first(where: FileManager.default.isExecutableFile)
  }
}
