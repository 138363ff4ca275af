import Foundation

/// Libraries of the tests that have room for a choice between their faults.
package enum FixtureLibrary {
  /// A copy of a built fixture with a choice written into it, in place of the zeros behind its
  /// mark: what is in the library itself also reaches a process that sees no file's name.
  package static func copy(
    of library: String, choosing choice: String, in folder: TemporaryDirectory
  ) throws -> String {
    var bytes = try Data(contentsOf: URL(filePath: try BuildProducts.library(library)))
    let mark = Data("VMHOST-FIXTURE-CHOICE:".utf8)
    guard let place = bytes.range(of: mark),
      bytes.range(of: mark, in: place.upperBound..<bytes.count) == nil
    else { throw TestSupportError("\(library) has no one place for a choice.") }
    bytes.replaceSubrange(
      place.upperBound..<place.upperBound + choice.utf8.count, with: choice.utf8)
    let path = folder.file("\(library).so")
    try bytes.write(to: URL(filePath: path))
    return path
  }
}
