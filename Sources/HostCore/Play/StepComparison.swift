import Basics

/// A comparison of what a step emitted with what its lines say.
package struct StepComparison {
  package let session: SessionEngine
  package let step: TranscriptStep
  package let expected: ExpectedEvents
  package let events: EventBatch
  /// The events of the step, logs and faults among them.
  package let range: Range<Int>

  package var records: ArraySlice<EventBatch.Record> { events.records[range] }

  /// Whether the step emitted exactly what its lines say, in that order.
  package var isEqual: Bool { isEqual(orMore: false) }

  /// Whether the step emitted what its lines say, possibly followed by something else.
  var beginsAsExpected: Bool { isEqual(orMore: true) }

  private func isEqual(orMore: Bool) -> Bool {
    var index = step.expected.lowerBound
    for record in records where Self.isCompared(record) {
      guard index < step.expected.upperBound else { return orMore }
      guard matches(index, record) else { return false }
      index += 1
    }
    return index == step.expected.upperBound
  }

  /// Whether an event is compared with the lines. Logs and faults are not.
  static func isCompared(_ record: EventBatch.Record) -> Bool {
    record.isOf(.output) || record.isOf(.request) || record.isOf(.cancel)
  }

  private func matches(_ index: Int, _ record: EventBatch.Record) -> Bool {
    expected.matches(
      index, record, events, handle: session.handle(of: record),
      isAlone: isAlone(record), offset: offset(of: record), redacted: session.redacted)
  }

  private func isAlone(_ record: EventBatch.Record) -> Bool {
    !session.instances.contains { $0.number != record.instance }
  }

  /// The time of an event within a step that takes time; nil at its end.
  private func offset(of record: EventBatch.Record) -> Nanoseconds? {
    record.time < session.now ? record.time - step.start : nil
  }

  /// The difference between the lines and the events.
  var difference: StepDifference? {
    StepDifference(
      expected: expectedLines, found: foundLines, stepLine: step.numbers.lowerBound)
  }

  var expectedLines: [StepLine] { step.expected.map(expected.stepLine) }

  /// What the step emitted, written so that only real differences from the expected lines show.
  ///
  /// A line may include a handle that it could leave out, and a secret or its placeholder. So an
  /// event is written like the first line that matches it, if there is one.
  var foundLines: [StepLine] {
    var positions: [StepLine: [Int]] = [:]
    for index in step.expected.reversed() {
      let line = expected.stepLine(index)
      positions[StepLine(head: line.head, value: line.value, line: 0), default: []].append(index)
    }
    let handles = Set(step.expected.map { expected.text(expected.lines[$0].handle) })
    return records.filter(Self.isCompared).map { record in
      let forms = forms(of: record, handles)
      let position = { positions[$0]?.last ?? .max }
      let form = forms.min { position($0) < position($1) } ?? forms[0]
      _ = positions[form]?.popLast()
      return form
    }
  }

  /// All forms in which a line may write an event.
  ///
  /// The first form is for an event without a matching line. It is that of a recording, with the
  /// handle if other lines of the step have the handle, or if there is a flow.
  ///
  /// - Parameter handles: the handles in the step's lines.
  private func forms(of record: EventBatch.Record, _ handles: Set<String>) -> [StepLine] {
    let handle = session.handle(of: record)
    let prefixes: [String?] =
      if !isAlone(record) {
        [handle]
      } else if session.flow != nil || handles.contains(handle) {
        [handle, nil]
      } else {
        [nil]
      }
    let value = Array(events.bytes[record.value])
    let redacted = session.redacted(value)
    let values = redacted == value ? [value] : [redacted, value]
    return prefixes.flatMap { prefix in
      let head = TranscriptWriter.head(of: record, events, prefix, offset: offset(of: record))
      return values.map { StepLine(head: head, value: $0, line: 0) }
    }
  }

  /// `foundLines` as bytes, for a file.
  var foundTexts: [[UInt8]] {
    foundLines.map { line in
      var bytes: [UInt8] = []
      TranscriptWriter.append(line.head, line.value.span, to: &bytes)
      return bytes
    }
  }

  /// The plugin's message about its failure in this step, or the reason why the flow couldn't carry
  /// out what a signal leads to; nil if there is no fault.
  package var fault: String? {
    guard events.hasFaults, let record = records.first(where: { $0.isOf(.fault) }) else {
      return nil
    }
    return "\(session.handle(of: record)) failed in \"\(events.name(of: record))\":"
      + " \(events.value(of: record).terminalSafeLine)"
  }

  /// A name in a step's lines that the session doesn't have.
  struct UnknownName {
    enum Part {
      case handle
      /// The handle that is missing before the name.
      case missingHandle
      /// The port or effect.
      case name
    }

    /// Its line in the file.
    let line: Int
    let part: Part
    let message: String
  }

  /// The first handle, port or effect in the step's lines that the session doesn't have.
  func unknownName() -> UnknownName? {
    for index in step.expected {
      let line = expected.lines[index]
      let handle = expected.text(line.handle)
      let instances = session.instances.filter { handle.isEmpty || $0.handle == handle }
      let message: String?
      let part: UnknownName.Part
      if instances.count > 1 {
        part = .missingHandle
        let name = line.kind == .output ? expected.text(line.name) : "\(line.id)"
        message =
          "several instances are open. Write the handle before the name, as in"
          + " \(instances[0].handle).\(name)."
      } else if let instance = instances.first {
        part = .name
        message = unknown(index, of: instance)
      } else {
        part = .handle
        message = unknown(handle: handle)
      }
      if let message {
        return UnknownName(line: line.numbers.lowerBound, part: part, message: message)
      }
    }
    return nil
  }

  /// The message about a handle that no instance has; nil if the instance was just closed.
  private func unknown(handle: String) -> String? {
    if handle.isEmpty
      || records.contains(where: { !$0.isOf(.print) && session.handle(of: $0) == handle })
    {
      return nil
    }
    if case .command(.close(handle)) = step.action { return nil }
    return "there is no instance \"\(handle)\"."
      + NearestName.hint(for: handle, among: session.instances.map(\.handle))
  }

  /// The message about an output or effect that an instance doesn't have; nil if it has it.
  private func unknown(_ index: Int, of instance: SessionInstance) -> String? {
    let line = expected.lines[index]
    let name = expected.text(line.name)
    let (names, verb): ([String], String)
    switch line.kind {
    case .cancel: return nil
    case .output: (names, verb) = (instance.viewModel.outputs.map(\.name), "has no output")
    case .request: (names, verb) = (instance.viewModel.requests.sorted(), "never asks for")
    }
    guard !names.contains(name) else { return nil }
    let hint =
      successor(of: index, in: instance).map { " Did you mean \"\($0)\"?" }
      ?? NearestName.hint(for: name, among: names)
    return "\(instance.handle) \(verb) \"\(name)\".\(hint)"
  }

  /// The name under which the step emitted the value of a line with an unknown name; nil if every
  /// name that it emitted is in its lines.
  private func successor(of index: Int, in instance: SessionInstance) -> String? {
    let line = expected.lines[index]
    let kind: EventKind = line.kind == .output ? .output : .request
    let names = Set(step.expected.map { expected.text(expected.lines[$0].name) })
    let record = records.first { record in
      record.isOf(kind) && record.instance == instance.number
        && !names.contains(events.name(of: record))
        && expected.bytes.span.extracting(line.value)
          .equals(events.bytes.span.extracting(record.value))
    }
    return record.map { events.name(of: $0) }
  }
}
