import Basics
import HostCore

/// Cuts a stream of bytes into lines.
package struct LineSplitter {
  package enum Line: Equatable {
    /// Without its line feed, and without carriage returns, which would end a line of an event.
    case whole([UInt8])
    /// It has more bytes than are kept.
    case tooLong
  }

  private let maxBytes: Int
  /// The current line so far.
  private var rest: [UInt8] = []
  private var isTooLong = false

  package init(maxBytes: Int) { self.maxBytes = maxBytes }

  /// Calls `body` with each line that ends in `bytes`. Empty lines are left out.
  package mutating func take(_ bytes: [UInt8], _ body: (Line) -> Void) {
    let span = bytes.span
    var start = 0
    while let end = span.firstIndex(of: 0x0A, from: start) {
      add(span.extracting(start..<end))
      finish(body)
      start = end + 1
    }
    add(span.extracting(start..<span.count))
  }

  /// Calls `body` with what is left: a line without a line feed.
  package mutating func finish(_ body: (Line) -> Void) {
    if isTooLong {
      body(.tooLong)
    } else {
      replaceReturns()
      if !rest.isEmpty { body(.whole(rest)) }
    }
    (rest, isTooLong) = ([], false)
  }

  private mutating func add(_ part: Span<UInt8>) {
    guard !isTooLong, rest.count + part.count <= maxBytes else {
      (rest, isTooLong) = ([], true)
      return
    }
    rest.append(part)
  }

  /// In JSON, a carriage return is a blank between tokens, and nothing else.
  private mutating func replaceReturns() {
    if rest.last == 0x0D { rest.removeLast() }
    while let index = rest.span.firstIndex(of: 0x0D, from: 0) { rest[index] = 0x20 }
  }
}
