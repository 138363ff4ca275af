import Basics
import CanonicalJSON

/// The expected output of steps, as the lines of a transcript say it, in one flat buffer.
package struct ExpectedEvents {
  struct Line {
    let kind: ScriptLine.ExpectationLine.Kind
    let offset: Nanoseconds?
    let id: UInt64
    /// Ranges of `bytes`.
    fileprivate(set) var handle: Range<Int>
    fileprivate(set) var name: Range<Int>
    fileprivate(set) var value: Range<Int>
    /// The value as the file has it, if it spans several lines; otherwise empty.
    fileprivate(set) var source: Range<Int>
    /// Its lines in the file.
    let numbers: ClosedRange<Int>

    fileprivate mutating func move(by distance: Int) {
      handle = handle.lowerBound + distance..<handle.upperBound + distance
      name = name.lowerBound + distance..<name.upperBound + distance
      value = value.lowerBound + distance..<value.upperBound + distance
      guard !source.isEmpty else { return }
      source = source.lowerBound + distance..<source.upperBound + distance
    }
  }

  private(set) var lines: [Line] = []
  private(set) var bytes: [UInt8] = []

  /// - Parameter line: the bytes that the ranges of `expectation` refer to.
  mutating func append(
    _ expectation: ScriptLine.ExpectationLine, _ line: Span<UInt8>, at numbers: ClosedRange<Int>
  ) throws(ScriptError) {
    let handle = copy(line.extracting(expectation.handle))
    let name = copy(line.extracting(expectation.name))
    let start = bytes.count
    if expectation.valueIsCanonical {
      bytes.append(line.extracting(expectation.value))
    } else {
      do throws(JSONError) {
        try CanonicalJSON.append(line.extracting(expectation.value), to: &bytes)
      } catch {
        throw ScriptError(
          "the value is not JSON: \(error.detail).",
          at: expectation.value.lowerBound + error.offset)
      }
    }
    let value = start..<bytes.count
    let source = numbers.count > 1 ? copy(line.extracting(expectation.value)) : 0..<0
    lines.append(
      Line(
        kind: expectation.kind, offset: expectation.offset, id: expectation.id, handle: handle,
        name: name, value: value, source: source, numbers: numbers))
  }

  private mutating func copy(_ part: Span<UInt8>) -> Range<Int> {
    let start = bytes.count
    bytes.append(part)
    return start..<bytes.count
  }

  mutating func removeAll() {
    lines.removeAll(keepingCapacity: lines.capacity <= 1 << 16)
    bytes.removeAll(keepingCapacity: bytes.capacity <= 1 << 22)
  }

  /// Removes the first `count` lines.
  mutating func removeFirst(_ count: Int) {
    guard count < lines.count else { return removeAll() }
    let base = lines[count].handle.lowerBound
    bytes.removeSubrange(..<base)
    lines.removeSubrange(..<count)
    for index in lines.indices { lines[index].move(by: -base) }
  }

  /// Whether an event matches a line.
  ///
  /// - Parameters:
  ///   - index: the line's index in `lines`.
  ///   - handle: the handle of the event's instance.
  ///   - isAlone: whether there is no other instance, so that the line may leave the handle out.
  ///   - offset: the event's time within a `+` step; nil at its end.
  ///   - redacted: removes the secrets from a value, as a recorder does.
  func matches(
    _ index: Int, _ record: EventBatch.Record, _ events: borrowing EventBatch,
    handle: String, isAlone: Bool, offset: Nanoseconds?, redacted: ([UInt8]) -> [UInt8]
  ) -> Bool {
    let line = lines[index]
    let isKind =
      switch line.kind {
      case .output: record.isOf(.output)
      case .request: record.isOf(.request)
      case .cancel: record.isOf(.cancel)
      }
    guard isKind, line.id == record.id, line.offset == offset else { return false }
    let expected = bytes
    let found = events.bytes
    guard
      line.kind == .cancel
        || expected.span.extracting(line.name).equals(found.span.extracting(record.name)),
      expected.span.extracting(line.value).equals(found.span.extracting(record.value))
        || redacted(Array(found[record.value])) == Array(expected[line.value])
    else { return false }
    return line.handle.isEmpty
      ? isAlone : expected.span.extracting(line.handle).equals(Array(handle.utf8).span)
  }

  /// The line for a diff.
  func stepLine(_ index: Int) -> StepLine {
    let line = lines[index]
    let handle = line.handle.isEmpty ? "" : "\(text(line.handle))."
    let prefix = "\(line.offset.map { "@\(TimeSpan.text($0)) " } ?? "")\(handle)"
    let head =
      switch line.kind {
      case .output: "< \(prefix)\(text(line.name))"
      case .request: "? \(prefix)\(line.id) \(text(line.name))"
      case .cancel: "x \(prefix)\(line.id)"
      }
    return StepLine(
      head: head, value: Array(bytes[line.value]), line: line.numbers.lowerBound,
      source: Array(bytes[line.source]))
  }

  func text(_ range: Range<Int>) -> String { String(repairing: bytes.span.extracting(range)) }
}
