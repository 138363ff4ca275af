import Basics

/// One line of a step, expected or found: an output, request or cancel.
package struct StepLine: Sendable, Hashable {
  /// The text before the value, as in `< list.items` or `? 1 http` or `< @240ms items`.
  package var head: String
  /// Canonical JSON; empty for none.
  package var value: [UInt8]
  /// The number of the line in the file, from 1; 0 for a line that was found.
  package var line: Int
  /// The value as written in the file, from `line` on, if it spans several lines; else empty.
  package var source: [UInt8]

  package init(head: String, value: [UInt8], line: Int, source: [UInt8] = []) {
    self.head = head
    self.value = value
    self.line = line
    self.source = source
  }
}

extension StepLine {
  /// The parts of a line by which lines are equal.
  struct Content: Hashable {
    let head: String
    let value: [UInt8]
  }

  /// The parts of a head. In `? @240ms list.1 http`, the request 1 of `list` asks for `http` at
  /// 240 ms.
  struct Head {
    let sigil: Substring
    /// The offset in time, with its `@`; empty for none.
    let time: Substring
    /// The number of a request or cancel, with the handle; empty for an output.
    let number: Substring
    /// The effect, or the port with the handle; empty for a cancel.
    let name: Substring
  }

  var content: Content { Content(head: head, value: value) }
  var parts: Head { Head(head) }
  var isRequest: Bool { head.hasPrefix("? ") }

  /// Whether both lines have the same head and value.
  func hasSameContent(as other: StepLine) -> Bool {
    head == other.head && value.span.equals(other.value.span)
  }

  /// The number of the line in the file with the first difference from another line's value.
  func line(ofDifferenceFrom other: StepLine) -> Int {
    guard !source.isEmpty, !other.value.isEmpty else { return line }
    var shared = VisibleText.sharedPrefix(value[...], other.value[...])
    // If the other side ends at this comma, the difference is what follows the comma.
    if shared < value.count, value[shared] == UInt8(ascii: ",") { shared += 1 }
    var walk = JSONWalk()
    walk.advance(to: shared, in: value.span)
    let offset = walk.offset(in: source.span, of: value)
    return line + source[..<offset].count { $0 == UInt8(ascii: "\n") }
  }

  /// The line's bytes, with the value in canonical form.
  var bytes: [UInt8] { value.isEmpty ? Array(head.utf8) : Array("\(head) ".utf8) + value }

  /// Whether the value is a container that takes more than one line to read.
  var isLong: Bool {
    value.count > 60 && (value[0] == UInt8(ascii: "{") || value[0] == UInt8(ascii: "["))
  }
}

extension StepLine.Head {
  init(_ text: String) {
    var words = text.split(separator: " ")[...]
    sigil = words.popFirst() ?? ""
    time = words.first?.first == "@" ? words.removeFirst() : ""
    number = sigil == "<" ? "" : words.popFirst() ?? ""
    name = words.popFirst() ?? ""
  }

  /// The port or request that the line is about, without its time: an output of the same port or a
  /// request of the same effect has the same subject.
  var subject: String {
    let handle = number.lastIndex(of: ".").map { number[...$0] } ?? ""
    return "\(sigil) \(sigil == "x" ? number : handle)\(name)"
  }

  /// The kind of line. Two requests have the same kind, as have two cancels, and two outputs of the
  /// same port.
  var kind: String { sigil == "<" ? "< \(name)" : String(sigil) }
}
