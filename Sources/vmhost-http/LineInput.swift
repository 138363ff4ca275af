import Foundation

/// Reads the lines of a stream as they arrive.
struct LineInput {
  private let handle: FileHandle

  init(_ handle: FileHandle) {
    self.handle = handle
  }

  /// Calls `body` with each line, without its line feed, until the stream ends.
  ///
  /// - Returns: the bytes after the last line feed.
  func read(_ body: ([UInt8]) -> Void) -> [UInt8] {
    var rest: [UInt8] = []
    while true {
      let data = handle.availableData
      if data.isEmpty { return rest }
      // Only new bytes are searched, so that a long line costs no more than its length.
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
