import Basics

/// One line of a step, expected or found: an output, request or cancel.
package struct StepLine: Sendable, Hashable {
  /// All before the value, as in `< list.items` or `? 1 http` or `< @240ms items`.
  package var head: String
  /// Canonical JSON; empty for none.
  package var value: [UInt8]
  /// Its line in the file, from 1; 0 for what was found.
  package var line: Int
  /// The value as the file has it, from `line` on, if it goes over several lines; else empty.
  package var source: [UInt8]

  package init(head: String, value: [UInt8], line: Int, source: [UInt8] = []) {
    self.head = head
    self.value = value
    self.line = line
    self.source = source
  }
}

extension StepLine {
  /// What two lines have in common that say the same.
  struct Content: Hashable {
    let head: String
    let value: [UInt8]
  }

  /// What a head says: `? @240ms list.1 http` asks for `http`, as request 1 of `list`, at 240 ms.
  struct Head {
    let sigil: Substring
    /// The offset in time, with its `@`; empty for none.
    let time: Substring
    /// Of a request or cancel, its number with the handle; empty for an output.
    let number: Substring
    /// The effect, or the port with the handle; empty for a cancel.
    let name: Substring
  }

  var content: Content { Content(head: head, value: value) }
  var parts: Head { Head(head) }
  var isRequest: Bool { head.hasPrefix("? ") }

  /// Whether both say the same, wherever.
  func says(_ other: StepLine) -> Bool {
    head == other.head && value.span.equals(other.value.span)
  }

  /// The line in the file of the first part of the value that the other one has otherwise.
  func line(ofDifferenceFrom other: StepLine) -> Int {
    guard !source.isEmpty, !other.value.isEmpty else { return line }
    var shared = VisibleText.sharedPrefix(value[...], other.value[...])
    // What differs is what follows the comma, and the other side ends there.
    if shared < value.count, value[shared] == UInt8(ascii: ",") { shared += 1 }
    var walk = JSONWalk()
    walk.advance(to: shared, in: value.span)
    let place = walk.place(in: source.span, of: value)
    return line + source[..<place].count { $0 == UInt8(ascii: "\n") }
  }

  /// The line's bytes, with the value as it is.
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

  /// What the line is of, whenever: an output of that port, a request of that effect.
  var subject: String {
    let handle = number.lastIndex(of: ".").map { number[...$0] } ?? ""
    return "\(sigil) \(sigil == "x" ? number : handle)\(name)"
  }

  /// What may still stand for the other: any request for a request, any cancel for a cancel.
  var kind: String { sigil == "<" ? "< \(name)" : String(sigil) }
}
