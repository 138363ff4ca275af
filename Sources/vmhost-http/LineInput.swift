import Foundation

/// The lines of a stream, as they come.
struct LineInput {
  private let handle: FileHandle

  init(_ handle: FileHandle) {
    self.handle = handle
  }

  /// Gives each line without its end to `body`, until the stream ends; gives back what follows the
  /// last line end.
  func read(_ body: ([UInt8]) -> Void) -> [UInt8] {
    var rest: [UInt8] = []
    while true {
      let data = handle.availableData
      if data.isEmpty { return rest }
      // Only what is new is searched, so that a long line costs no more than its length.
      for part in data.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
        if part.startIndex > data.startIndex {
          body(rest)
          rest = []
        }
        rest += part
      }
    }
  }
}
