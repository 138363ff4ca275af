import Basics
import CanonicalJSON

// The steps of a history as lines.
extension SessionHistory {
  /// The lines of some steps, as a transcript has them, each on one line of limited length.
  ///
  /// - Parameters:
  ///   - range: the steps, from 0 on.
  ///   - session: knows the secrets that no line may have.
  package func lines(
    of range: Range<Int>, in session: SessionEngine
  ) -> [(step: Int, time: Nanoseconds, text: String)] {
    guard let first = entry(ofStep: range.lowerBound) else { return [] }
    var lines: [(step: Int, time: Nanoseconds, text: String)] = []
    for index in first..<entries.count where entries[index].start < range.upperBound {
      let entry = entries[index]
      let before = index > 0 ? entries[index - 1].time : 0
      for offset in 0..<entry.count where range.contains(entry.start + offset) {
        let bytes = entry.line(offset, after: before, session, handles)
        let text = VisibleText.cut(bytes[...], columns: 100)
        lines.append((entry.start + offset + 1, entry.time, text))
      }
    }
    return lines
  }
}

extension SessionHistory.Entry {
  /// - Parameter before: the time of the step before it.
  fileprivate func line(
    _ offset: Int, after before: Nanoseconds, _ session: SessionEngine, _ handles: [String]
  ) -> [UInt8] {
    var line: [UInt8] = []
    let prefix = { (instance: Int32) in
      Set(handles).count > 1 ? handles[Int(instance)] : nil
    }
    switch action {
    case .open(let viewModel, let handle, let config):
      let config = config.map { config in
        var bytes: [UInt8] = []
        config.append(to: &bytes)
        return (try? JSONValue(parsing: session.redacted(bytes).span)) ?? .null
      }
      TranscriptWriter.append(
        .open(viewModel: viewModel, handle: handle, config: config), to: &line)
    case .close(let handle): TranscriptWriter.append(.close(handle: handle), to: &line)
    case .timers: TranscriptWriter.append(.advance(time - before), to: &line)
    case .inputs(let inputs):
      let record = inputs.records[offset]
      let value = session.redacted(Array(inputs.bytes[record.value]))
      TranscriptWriter.appendInput(
        prefix(record.instance), inputs.bytes.span.extracting(record.name), value.span, to: &line)
    case .answer(let instance, let id, let kind, let value):
      let text = String(repairing: session.redacted(value).span)
      let handle = prefix(instance).map { "\($0)." } ?? ""
      line += Array("! \(handle)\(id)\(kind == .error ? " error" : "") \(text)".utf8)
    }
    if line.last == 0x0a { line.removeLast() }
    return line
  }
}
