import Basics

/// Writes the difference of two files in the format that `git apply` and `patch -p1` read.
package enum UnifiedDiff {
  /// The patch that turns `old` into `new`; empty if they are equal.
  ///
  /// - Parameter path: the file's path, relative to the folder where the patch will be applied.
  package static func patch(from old: [UInt8], to new: [UInt8], path: String) -> [UInt8] {
    let (old, new) = (ByteLines(old), ByteLines(new))
    let alignment = LineAlignment(old.count, new.count) { one, other in
      old.bytes.span.extracting(old.ranges[one])
        .equals(new.bytes.span.extracting(new.ranges[other]))
    } keys: { olds, news in
      [LineAlignment.Keys(olds.map { old[$0] }, news.map { new[$0] })]
    }
    guard !alignment.isEqual else { return [] }
    var patch: [UInt8] = []
    patch += "--- \(fileName("a/" + path))\n+++ \(fileName("b/" + path))\n".utf8
    var next = (old: 0, new: 0)
    for part in alignment.parts(context: 3, joins: false) {
      switch part {
      case .hidden(let range): next = (next.old + range.count, next.new + range.count)
      case .shown(let range):
        appendHunk(range.map { alignment[$0] }, old, new, at: &next, to: &patch)
      }
    }
    return patch
  }

  private static func appendHunk(
    _ elements: [LineAlignment.Element], _ old: ByteLines, _ new: ByteLines,
    at next: inout (old: Int, new: Int), to patch: inout [UInt8]
  ) {
    let start = next
    var lines: [UInt8] = []
    for element in elements {
      switch element {
      case .equal(let line, _):
        append(old[line], after: " ", to: &lines)
        next = (next.old + 1, next.new + 1)
      case .removed(let line):
        append(old[line], after: "-", to: &lines)
        next.old += 1
      case .inserted(let line):
        append(new[line], after: "+", to: &lines)
        next.new += 1
      // Only further levels of keys make lines changed.
      case .changed: preconditionFailure("a patch has lines that changed")
      }
    }
    let (olds, news) = (range(start.old..<next.old), range(start.new..<next.new))
    patch += "@@ -\(olds) +\(news) @@\n".utf8
    patch += lines
  }

  /// The first line, from 1, and the number of lines. An empty range has the line before it.
  private static func range(_ lines: Range<Int>) -> String {
    "\(lines.isEmpty ? lines.lowerBound : lines.lowerBound + 1),\(lines.count)"
  }

  private static func append(
    _ line: ArraySlice<UInt8>, after sign: Unicode.Scalar, to patch: inout [UInt8]
  ) {
    patch.append(UInt8(ascii: sign))
    patch += line
    if line.last != UInt8(ascii: "\n") { patch += "\n\\ No newline at end of file\n".utf8 }
  }

  /// The name as the header of a patch has it. Characters that would end the name or the line, and
  /// bytes that aren't UTF-8, are quoted as in C. A name with a blank is followed by a tab, or else
  /// `patch` takes the rest for a date.
  private static func fileName(_ name: String) -> String {
    let isPlain = name.unicodeScalars.allSatisfy {
      $0.value >= 0x20 && $0 != "\u{7f}" && $0 != "\"" && $0 != "\\" && $0.pathByte == nil
    }
    guard !isPlain else { return name.utf8.contains(0x20) ? name + "\t" : name }
    var quoted = "\""
    for scalar in name.unicodeScalars {
      switch scalar.value {
      case 0x22, 0x5c: quoted += "\\\(scalar)"
      case 0..<0x20, 0x7f, 0xef80...0xefff:
        let digits = String(UInt8(truncatingIfNeeded: scalar.value), radix: 8)
        quoted += "\\" + String(repeating: "0", count: 3 - digits.count) + digits
      default: quoted.unicodeScalars.append(scalar)
      }
    }
    return quoted + "\""
  }
}
