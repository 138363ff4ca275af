import Basics
import CanonicalJSON

/// The difference of two long values of the same port or effect, line by line.
struct ValueDifference {
  /// The lines of each head and value, laid out as in a transcript.
  private let old: ByteLines
  private let new: ByteLines
  private let oldHead: Int
  private let newHead: Int
  /// The name of the port or effect.
  private let name: String
  private let alignment: LineAlignment

  /// Nil if a value isn't JSON, or has too many lines.
  init?(expected: StepLine, found: StepLine) {
    guard let old = Self.lines(of: expected), let new = Self.lines(of: found) else { return nil }
    let (oldHead, newHead) = (expected.head.utf8.count, found.head.utf8.count)
    var alignment = LineAlignment(old.count, new.count) { one, other in
      old.bytes.span.extracting(Self.content(of: one, in: old))
        .equals(new.bytes.span.extracting(Self.content(of: other, in: new)))
    } keys: { olds, news in
      [
        LineAlignment.Keys(
          olds.map { old.bytes[Self.content(of: $0, in: old)] },
          news.map { new.bytes[Self.content(of: $0, in: new)] }),
        LineAlignment.Keys(
          olds.map { old[$0].prefix(Self.label(of: $0, in: old, head: oldHead)) },
          news.map { new[$0].prefix(Self.label(of: $0, in: new, head: newHead)) }),
      ]
    }
    alignment.slide {
      Self.cost(of: $0, in: old)
    } newCost: {
      Self.cost(of: $0, in: new)
    } isEqual: { isOld, one, other in
      let lines = isOld ? old : new
      return lines.bytes.span.extracting(Self.content(of: one, in: lines))
        .equals(lines.bytes.span.extracting(Self.content(of: other, in: lines)))
    }
    (self.old, self.new, self.oldHead, self.newHead) = (old, new, oldHead, newHead)
    self.alignment = alignment
    name = String(found.parts.name)
  }

  /// Comparing more lines would take many times the memory of the values, and minutes.
  private static let maxComparedLines = 500_000

  /// The lines of the head and the formatted value; nil if the value isn't JSON, or has too many
  /// lines.
  static func lines(of line: StepLine) -> ByteLines? {
    var bytes = Array(line.head.utf8)
    guard !line.value.isEmpty else { return ByteLines(bytes) }
    // Each comma and each opening bracket begins a line, and some of those in strings are counted,
    // too.
    let starts = line.value.count {
      $0 == UInt8(ascii: ",") || $0 == UInt8(ascii: "[") || $0 == UInt8(ascii: "{")
    }
    guard starts <= maxComparedLines else { return nil }
    guard let pretty = try? CanonicalJSON.pretty(line.value.span, indent: 2) else { return nil }
    bytes.append(UInt8(ascii: " "))
    bytes += pretty
    return ByteLines(bytes)
  }

  // MARK: Lines

  /// The line without its line feed and without a comma before it.
  private static func content(of index: Int, in lines: ByteLines) -> Range<Int> {
    let range = lines.ranges[index]
    var end = range.upperBound
    if end > range.lowerBound, lines.bytes[end - 1] == UInt8(ascii: "\n") { end -= 1 }
    if end > range.lowerBound, lines.bytes[end - 1] == UInt8(ascii: ",") { end -= 1 }
    return range.lowerBound..<end
  }

  private static func indentation(of line: ArraySlice<UInt8>) -> Int {
    line.prefix { $0 == UInt8(ascii: " ") }.count
  }

  /// The length in bytes of the part that tells what the line is about: the head, the name of a
  /// member, or a bracket.
  private static func label(of index: Int, in lines: ByteLines, head: Int) -> Int {
    guard index > 0 else { return head }
    let line = lines[index]
    let start = line.startIndex + indentation(of: line)
    switch line[start] {
    case UInt8(ascii: "{"), UInt8(ascii: "}"), UInt8(ascii: "["), UInt8(ascii: "]"):
      return start + 1 - line.startIndex
    case UInt8(ascii: "\""):
      let end = JSONWalk.endOfScalar(in: line.span, from: start - line.startIndex)
      let isName = end < line.count && line[line.startIndex + end] == UInt8(ascii: ":")
      return isName ? end + 2 : start - line.startIndex
    default: return start - line.startIndex
    }
  }

  /// The cost of a block that begins with this line. The least indented line costs least, and of
  /// equally indented ones a closing bracket costs more.
  private static func cost(of index: Int, in lines: ByteLines) -> Int {
    let line = lines[index]
    let indentation = indentation(of: line)
    let first = line.dropFirst(indentation).first
    return 2 * indentation + (first == UInt8(ascii: "}") || first == UInt8(ascii: "]") ? 1 : 0)
  }

  // MARK: Writing

  private static let context = 3
  /// The maximum number of lines that are shown of one value.
  private static let maxLines = 60

  func append(to page: inout DiffPage) {
    var walks = (old: JSONWalk(from: oldHead + 1), new: JSONWalk(from: newHead + 1))
    var left = Self.maxLines
    var omitted = 0
    for part in alignment.parts(context: Self.context) {
      switch part {
      case .hidden(let range):
        guard left > 0 else { continue }
        let context = location(after: range, &walks)
        page.addNote("… \(Count.of(range.count, "equal line"))\(context)")
      case .shown(let range):
        let shown = min(left, range.count)
        for index in range.prefix(shown) { append(alignment[index], to: &page) }
        left -= shown
        omitted += range.count - shown
      }
    }
    if omitted > 0 {
      page.addNote("… \(Count.of(omitted, "more line")) of this value left out")
    }
  }

  /// The part of the value that the next change is in, as in `, in items[3]`.
  private func location(after hidden: Range<Int>, _ walks: inout (old: JSONWalk, new: JSONWalk))
    -> String
  {
    var index = hidden.upperBound
    while index < alignment.count, alignment[index].isEqual { index += 1 }
    guard index < alignment.count else { return "" }
    let path =
      switch alignment[index] {
      case .removed(let line): Self.path(to: line, in: old, &walks.old)
      case .equal(_, let line), .changed(_, let line), .inserted(let line):
        Self.path(to: line, in: new, &walks.new)
      }
    return path.isEmpty ? "" : ", in \(name)\(path)"
  }

  /// The path to the element that begins in a line, or to the object if a member begins in it.
  private static func path(to line: Int, in lines: ByteLines, _ walk: inout JSONWalk) -> String {
    walk.advance(to: lines.ranges[line].lowerBound, in: lines.bytes.span)
    return walk.path(in: lines.bytes, toContainer: walk.isInObject)
  }

  private func append(_ element: LineAlignment.Element, to page: inout DiffPage) {
    switch element {
    case .equal(_, let line): page.add(.both, VisibleText.cut(text(line, new), columns: 100))
    case .removed(let line):
      page.add(.expected, VisibleText.cut(text(line, old), columns: DiffPage.width))
    case .inserted(let line):
      page.add(.found, VisibleText.cut(text(line, new), columns: DiffPage.width))
    case .changed(let one, let other):
      let label = Self.label(of: one, in: old, head: oldHead)
      page.add(
        VisibleText.pair(
          text(one, old), text(other, new), label: label > 60 ? 0 : label, width: DiffPage.width))
    }
  }

  private func text(_ index: Int, _ lines: ByteLines) -> ArraySlice<UInt8> {
    let line = lines[index]
    return line.last == UInt8(ascii: "\n") ? line.dropLast() : line
  }
}
