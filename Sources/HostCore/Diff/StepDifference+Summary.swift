import Basics
import CanonicalJSON

extension StepDifference {
  /// A sentence with the first difference, as in `expected < loading "none", found < loading
  /// "fullScreen"`, and the number of other differences.
  package var summary: String {
    if let cause { return cause }
    guard let first = alignment.firstDifference else { return "" }
    var others = alignment.elements.count { !$0.isEqual } - 1
    let sentence: String
    switch alignment[first] {
    case .equal: return ""
    case .changed(let old, let new): sentence = changed(expected[old], found[new])
    case .inserted(let new): sentence = extra(found[new])
    case .removed(let old):
      if let other = replacement(of: old, at: first) {
        sentence = "expected \(shown(expected[old])), found \(shown(other))"
        others -= 1
      } else {
        sentence = missing(expected[old])
      }
    }
    return others > 0 ? "\(sentence) (and \(Count.of(others, "more difference")))" : sentence
  }

  // MARK: On one side only

  private func missing(_ line: StepLine) -> String {
    let text = shown(line)
    if kind == .mismatch, hasInserted(line) { return "expected \(text) here, found it later" }
    let head = line.parts
    switch head.sigil {
    case "?":
      return "the plugin made one request fewer: expected \(text)"
    case "x": return "expected x \(head.number), but the plugin didn't cancel that request"
    default: return "expected \(text), but it was not emitted"
    }
  }

  /// The line that was found in place of the output that is removed at this index, between the same
  /// equal lines; nil if there is none or if another sentence says more.
  private func replacement(of old: Int, at index: Int) -> StepLine? {
    guard expected[old].parts.sigil == "<", !hasInserted(expected[old]) else { return nil }
    for index in index..<alignment.count {
      switch alignment[index] {
      case .removed: continue
      case .inserted(let new): return found[new]
      case .equal, .changed: return nil
      }
    }
    return nil
  }

  private func extra(_ line: StepLine) -> String {
    let text = shown(line)
    if kind == .mismatch, let number = removedLine(equalTo: line) {
      return "found \(text) earlier than expected in line \(number)"
    }
    let head = line.parts
    switch head.sigil {
    case "?": return "the plugin made one more request: found \(text)\(nearest(to: line))"
    case "x": return "found x \(head.number): the plugin cancelled a request unexpectedly"
    default: return "found \(text), which no line expects"
    }
  }

  private func hasInserted(_ line: StepLine) -> Bool {
    alignment.elements.contains {
      if case .inserted(let new) = $0 { found[new].hasSameContent(as: line) } else { false }
    }
  }

  private func removedLine(equalTo line: StepLine) -> Int? {
    for case .removed(let old) in alignment.elements
    where expected[old].hasSameContent(as: line) {
      return expected[old].line
    }
    return nil
  }

  // MARK: Changed

  private func changed(_ one: StepLine, _ other: StepLine) -> String {
    guard one.head == other.head else { return renamed(one, other) }
    guard one.isRequest else {
      return "expected \(difference(one, other, named: one.head, other.head))"
    }
    let head = one.parts
    let difference = difference(one, other, named: "", "")
    return "request \(head.number) \(head.name) is another one: expected \(difference)"
  }

  /// The sentence for a line that has another time, number or effect.
  private func renamed(_ one: StepLine, _ other: StepLine) -> String {
    let (head, otherHead) = (one.parts, other.parts)
    let (oldText, newText) = (VisibleText.line(one.head), VisibleText.line(other.head))
    let isSame = one.value.span.equals(other.value.span)
    if head.sigil == "?", head.name != otherHead.name {
      return "the plugin made a request to another effect: expected \(oldText), found \(newText)"
    }
    if head.sigil == "?", head.number != otherHead.number, isSame {
      return "the same request has another number: expected \(oldText), found \(newText)"
    }
    if isSame {
      let value = one.value.isEmpty ? "" : " with the same value"
      return "expected \(oldText), found \(newText)\(value)"
    }
    return "expected \(shown(one)), found \(shown(other))"
  }

  /// The first difference of the values, each after its name. The second name is left out if the
  /// first one has a path.
  private func difference(
    _ one: StepLine, _ other: StepLine, named name: String, _ otherName: String
  ) -> String {
    let (name, otherName) = (VisibleText.line(name), VisibleText.line(otherName))
    if one.value.isEmpty || other.value.isEmpty {
      let texts = [(name, one.value), (otherName, other.value)].map { name, value in
        value.isEmpty
          ? spaced(name, "without a value")
          : spaced(name, VisibleText.cut(value[...], columns: 60, counts: false))
      }
      return "\(texts[0]), found \(texts[1])"
    }
    // Short values are shown as a whole.
    let isWhole = max(one.value.count, other.value.count) <= 60
    let first: JSONDifference =
      isWhole
      ? .value(path: "", expected: 0..<one.value.count, found: 0..<other.value.count)
      : JSONDifference(expected: one.value, found: other.value)
    switch first {
    case .value(let path, let old, let new):
      let pair = VisibleText.pair(one.value[old], other.value[new], width: 60)
      let second = path.isEmpty ? spaced(otherName, pair.new) : pair.new
      return "\(spaced(joined(name, path), pair.old)), found \(second)"
    case .member(let path, let member, let isExpected):
      let with = isExpected ? ("with", "without") : ("without", "with")
      return "\(subject(name, path)) \(with.0) member \(member), found it \(with.1)"
    case .length(let path, let count, let isLonger):
      let counts = (Count.of(count, "element"), "more than \(count)")
      return isLonger
        ? "\(subject(name, path)) with \(counts.1) elements, found \(count)"
        : "\(subject(name, path)) with \(counts.0), found more"
    }
  }

  private func subject(_ name: String, _ path: String) -> String {
    let subject = joined(name, path)
    return subject.isEmpty ? "the value" : subject
  }

  /// A name followed by a path, or the path alone.
  private func joined(_ name: String, _ path: String) -> String {
    name.isEmpty && path.hasPrefix(".") ? String(path.dropFirst()) : name + path
  }

  private func spaced(_ name: String, _ value: String) -> String {
    name.isEmpty ? value : "\(name) \(value)"
  }

  private func shown(_ line: StepLine) -> String {
    VisibleText.cut(line.bytes[...], columns: 80, counts: false)
  }
}

extension VisibleText {
  /// A head, as messages show it.
  fileprivate static func line(_ text: String) -> String {
    cut(Array(text.utf8)[...], columns: 100)
  }
}
