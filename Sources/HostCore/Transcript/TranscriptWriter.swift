import Basics
import CanonicalJSON

/// Writes the lines of a transcript in canonical form. `ScriptLine.parse` reads them back.
package enum TranscriptWriter {
  /// Appends `> [HANDLE.]port [JSON]`.
  ///
  /// - Parameters:
  ///   - handle: nil if there is only one instance.
  ///   - value: canonical JSON, or empty for none.
  package static func appendInput(
    _ handle: String?, _ name: Span<UInt8>, _ value: Span<UInt8>, to bytes: inout [UInt8]
  ) {
    bytes.append("> ")
    append(prefix: handle, to: &bytes)
    bytes.append(name)
    append(value, to: &bytes)
  }

  /// Appends the line of an output, request or cancel.
  ///
  /// - Parameters:
  ///   - handle: nil if there is only one instance.
  ///   - value: canonical JSON, or empty for none.
  package static func append(
    _ record: EventBatch.Record, _ events: borrowing EventBatch, _ handle: String?,
    value: Span<UInt8>, to bytes: inout [UInt8]
  ) {
    appendHead(of: record, events, handle, offset: nil, to: &bytes)
    append(value, to: &bytes)
  }

  /// The line of an output, request or cancel up to its value.
  ///
  /// - Parameters:
  ///   - handle: nil if there is only one instance.
  ///   - offset: the time since the beginning of a `+` step; nil at its end.
  package static func head(
    of record: EventBatch.Record, _ events: borrowing EventBatch, _ handle: String?,
    offset: Nanoseconds?
  ) -> String {
    var bytes: [UInt8] = []
    appendHead(of: record, events, handle, offset: offset, to: &bytes)
    return String(repairing: bytes.span)
  }

  private static func appendHead(
    of record: EventBatch.Record, _ events: borrowing EventBatch, _ handle: String?,
    offset: Nanoseconds?, to bytes: inout [UInt8]
  ) {
    let kind: ScriptLine.ExpectationLine.Kind =
      switch record.kind {
      case .request: .request
      case .cancel: .cancel
      case .output: .output
      case .log, .fault, .opened, .closed, .input, .reply, .error, .refusal, .violation, .death,
        .print:
        preconditionFailure("a transcript has no line for this event")
      }
    let content = events.bytes
    appendHead(
      kind, offset: offset, handle, id: record.id, content.span.extracting(record.name), to: &bytes)
  }

  private static func appendHead(
    _ kind: ScriptLine.ExpectationLine.Kind, offset: Nanoseconds?, _ handle: String?, id: UInt64,
    _ name: Span<UInt8>, to bytes: inout [UInt8]
  ) {
    switch kind {
    case .request: bytes.append("? ")
    case .cancel: bytes.append("x ")
    case .output: bytes.append("< ")
    }
    if let offset { bytes.append(contentsOf: "@\(TimeSpan.text(offset)) ".utf8) }
    append(prefix: handle, to: &bytes)
    if kind != .output { bytes.append(contentsOf: "\(id)".utf8) }
    if kind == .request { bytes.append(0x20) }
    if kind != .cancel { bytes.append(name) }
  }

  /// Appends a line that was read: a comment or a blank line byte for byte, any other one in
  /// canonical form.
  ///
  /// - Throws: if a value isn't JSON.
  package static func append(
    _ line: ScriptLine, of bytes: Span<UInt8>, to output: inout [UInt8]
  ) throws(ScriptError) {
    func text(_ range: Range<Int>) -> String { String(repairing: bytes.extracting(range)) }
    func handle(_ range: Range<Int>) -> String? { range.isEmpty ? nil : text(range) }

    switch line {
    case .nothing:
      output.append(bytes)
      output.append(0x0a)
    case .input(let input):
      let value = try TextLineParser.canonicalValue(of: bytes, input.value)
      appendInput(handle(input.handle), bytes.extracting(input.name), value.span, to: &output)
    case .expectation(let expected):
      let value = try TextLineParser.canonicalValue(of: bytes, expected.value)
      appendHead(
        expected.kind, offset: expected.offset, handle(expected.handle), id: expected.id,
        bytes.extracting(expected.name), to: &output)
      append(value.span, to: &output)
    case .command(let command): append(command, to: &output)
    case .rewritten(let other):
      try append(try ScriptLine.parse(other.span), of: other.span, to: &output)
    }
  }

  /// Appends the line of a command.
  package static func append(_ command: ScriptCommand, to bytes: inout [UInt8]) {
    switch command {
    case .version(let number): append("vmt \(number)", to: &bytes)
    case .plugin(let name): append("@plugin \(name)", to: &bytes)
    case .open(let id, let handle, let config):
      let name = handle.map { " as \($0)" } ?? ""
      append("@open \(id)\(name)", value(config).span, to: &bytes)
    case .close(let handle): append("@close \(handle)", to: &bytes)
    case .reply(let handle, let id, let value):
      append("! \(prefix(handle))\(id)", value.span, to: &bytes)
    case .failure(let handle, let id, let code, let message):
      let error = JSONValue.object(["code": .string(code), "message": .string(message)])
      append("! \(prefix(handle))\(id) error", value(error).span, to: &bytes)
    case .advance(let span): append("+ \(TimeSpan.text(span))", to: &bytes)
    case .advanceUntilIdle: append("+ idle", to: &bytes)
    case .seed(let seed): append("@seed \(seed)", to: &bytes)
    case .time(let time): append("@time \(Timestamp.text(time))", to: &bytes)
    case .locale(let locale): append("@locale \(locale)", to: &bytes)
    case .timeZone(let zone): append("@timezone \(zone)", to: &bytes)
    case .store(let key, let stored):
      append("@storage \(word(key))", value(stored).span, to: &bytes)
    case .record(let effect): append("@record \(effect)", to: &bytes)
    case .simulate(let effect): append("@simulate \(effect)", to: &bytes)
    case .flow(let path): append("@flow \(path)", to: &bytes)
    case .recorded(let details): append("@recorded", value(details).span, to: &bytes)
    case .end: append("@end", to: &bytes)
    case .skip(let reason): append("@skip \(reason)", to: &bytes)
    case .tags(let names): append("@tags \(names.joined(separator: " "))", to: &bytes)
    case .frame(let handle):
      var members: [String: JSONValue] = ["kind": "frame"]
      members["instance"] = handle.map(JSONValue.string)
      append(members, to: &bytes)
    case .control(let control): append(control.members, to: &bytes)
    }
  }

  /// Appends a line that there is only in JSON.
  private static func append(_ members: [String: JSONValue], to bytes: inout [UInt8]) {
    JSONValue.object(members).append(to: &bytes)
    bytes.append(0x0a)
  }

  private static func prefix(_ handle: String?) -> String { handle.map { "\($0)." } ?? "" }

  private static func append(prefix handle: String?, to bytes: inout [UInt8]) {
    guard let handle else { return }
    bytes.append(contentsOf: handle.utf8)
    bytes.append(UInt8(ascii: "."))
  }

  private static func append(_ head: String, to bytes: inout [UInt8]) {
    append(head, [UInt8]().span, to: &bytes)
  }

  /// Appends a line of `head` and a value, which is canonical JSON, or empty for none.
  package static func append(_ head: String, _ value: Span<UInt8>, to bytes: inout [UInt8]) {
    bytes.append(contentsOf: head.utf8)
    append(value, to: &bytes)
  }

  /// Appends the end of a line: a value, which is canonical JSON, or empty for none.
  private static func append(_ value: Span<UInt8>, to bytes: inout [UInt8]) {
    let start = bytes.count
    if !value.isEmpty { TextValue.append(value, to: &bytes) }
    escapeControls(in: &bytes, from: start)
    bytes.append(0x0a)
  }

  /// Escapes DEL and the control characters after it. JSON allows them, but some terminals obey
  /// them.
  private static func escapeControls(in output: inout [UInt8], from start: Int) {
    guard mayHaveControls(output.span, from: start) else { return }
    let isControl = { (bytes: ArraySlice<UInt8>, index: Int) in
      bytes[index] == 0x7f
        || bytes[index] == 0xc2 && index + 1 < bytes.endIndex && bytes[index + 1] < 0xa0
    }
    let value = output[start...]
    guard value.indices.contains(where: { isControl(value, $0) }) else { return }
    var escaped: [UInt8] = []
    var index = value.startIndex
    while index < value.endIndex {
      if isControl(value, index) {
        let code = value[index] == 0x7f ? 0x7f : value[index + 1]
        let digits = String(code, radix: 16)
        escaped += Array("\\u00\(digits)".utf8)
        index += value[index] == 0x7f ? 1 : 2
      } else {
        escaped.append(value[index])
        index += 1
      }
    }
    output.replaceSubrange(start..., with: escaped)
  }

  /// Whether bytes have a DEL, or the first byte of the characters after it.
  private static func mayHaveControls(_ bytes: Span<UInt8>, from start: Int) -> Bool {
    bytes.firstIndex(of: 0x7f, from: start) != nil || bytes.firstIndex(of: 0xc2, from: start) != nil
  }

  private static func value(_ value: JSONValue?) -> [UInt8] {
    var bytes: [UInt8] = []
    value?.append(to: &bytes)
    return bytes
  }

  /// A key as one word: as it is, or as a JSON string where it wouldn't read back.
  private static func word(_ key: String) -> String {
    let isPlain = key.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7f } && key.utf8.first != 0x22
    guard key.isEmpty || !isPlain else { return key }
    return String(decoding: value(.string(key)), as: UTF8.self)
  }
}
