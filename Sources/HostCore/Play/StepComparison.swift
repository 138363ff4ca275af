import Basics

/// What a step emitted, beside what its lines say.
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

  /// Whether the step emitted what its lines say, and maybe something after that.
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

  /// Logs and faults are no part of what is expected.
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

  /// When an event came within a step that takes time; nil at its end.
  private func offset(of record: EventBatch.Record) -> Nanoseconds? {
    record.time < session.now ? record.time - step.start : nil
  }

  /// How they differ.
  var difference: StepDifference? {
    StepDifference(
      expected: expectedLines, found: foundLines, stepLine: step.numbers.lowerBound)
  }

  var expectedLines: [StepLine] { step.expected.map(expected.stepLine) }

  /// What the step emitted, so that only what really differs from an expected line looks different.
  ///
  /// A line may have a handle that it could leave out, and a secret in either form: an event is
  /// written as the first line that says it, if there is one.
  var foundLines: [StepLine] {
    var places: [StepLine: [Int]] = [:]
    for index in step.expected.reversed() {
      let line = expected.stepLine(index)
      places[StepLine(head: line.head, value: line.value, line: 0), default: []].append(index)
    }
    let handles = Set(step.expected.map { expected.text(expected.lines[$0].handle) })
    return records.filter(Self.isCompared).map { record in
      let forms = forms(of: record, handles)
      let place = { places[$0]?.last ?? .max }
      let form = forms.min { place($0) < place($1) } ?? forms[0]
      _ = places[form]?.popLast()
      return form
    }
  }

  /// All forms in which a line may say an event, first that for an event which no line says: as a
  /// recording has it, with its handle if other lines of the step have that, or there is a flow.
  ///
  /// - Parameter handles: those in the step's lines.
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

  /// What the plugin's own code says of its failure in this step, or why the flow can't do what a
  /// signal leads to; nil if there is no fault.
  package var fault: String? {
    guard events.hasFaults, let record = records.first(where: { $0.isOf(.fault) }) else {
      return nil
    }
    return "\(session.handle(of: record)) failed in \"\(events.name(of: record))\":"
      + " \(events.value(of: record).terminalSafeLine)"
  }

  /// A name in a line of a step that the session doesn't have.
  struct Misspelling {
    /// Its line in the file.
    let line: Int
    /// Whether it is the handle, and not a port or effect.
    let isHandle: Bool
    let words: String
  }

  /// The first line that names what the session doesn't have: a misspelt handle, port or effect.
  func misspelling() -> Misspelling? {
    for index in step.expected {
      let line = expected.lines[index]
      let handle = expected.text(line.handle)
      let instances = session.instances.filter { handle.isEmpty || $0.handle == handle }
      let words: String?
      let isHandle: Bool
      if instances.count > 1 {
        isHandle = false
        let name = line.kind == .output ? expected.text(line.name) : "\(line.id)"
        words =
          "which instance is meant? Write its handle before the name, as in"
          + " \(instances[0].handle).\(name)."
      } else if let instance = instances.first {
        isHandle = false
        words = Self.unknown(expected.text(line.name), line.kind, of: instance)
      } else {
        isHandle = true
        words = unknown(handle: handle)
      }
      if let words {
        return Misspelling(line: line.numbers.lowerBound, isHandle: isHandle, words: words)
      }
    }
    return nil
  }

  /// What is wrong with a handle that no instance has; nil for that of one which was just closed.
  private func unknown(handle: String) -> String? {
    if handle.isEmpty || records.contains(where: { session.handle(of: $0) == handle }) {
      return nil
    }
    if case .command(.close(handle)) = step.action { return nil }
    return "there is no instance \"\(handle)\"."
      + NearestName.hint(for: handle, among: session.instances.map(\.handle))
  }

  private static func unknown(
    _ name: String, _ kind: ScriptLine.ExpectationLine.Kind, of instance: SessionInstance
  ) -> String? {
    switch kind {
    case .cancel: return nil
    case .output:
      let names = instance.viewModel.outputs.map(\.name)
      guard !names.contains(name) else { return nil }
      return "\(instance.handle) has no output \"\(name)\"."
        + NearestName.hint(for: name, among: names)
    case .request:
      let effects = instance.viewModel.requests
      guard !effects.contains(name) else { return nil }
      return "\(instance.handle) never asks for \"\(name)\"."
        + NearestName.hint(for: name, among: effects.sorted())
    }
  }
}
