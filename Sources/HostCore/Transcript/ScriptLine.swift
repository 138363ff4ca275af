package import CanonicalJSON

/// One line of a script. It is parsed, but its names aren't looked up in a session yet.
package enum ScriptLine: Equatable, Sendable {
  /// A blank line or a comment.
  case nothing
  case input(InputLine)
  /// An expectation of what the step before emits. A run doesn't check it.
  case expectation(ExpectationLine)
  case command(ScriptCommand)
  /// A line with escapes in a name. These bytes mean the same and are to be parsed instead.
  case rewritten([UInt8])

  /// An input, as ranges in the line: the hot path copies nothing.
  package struct InputLine: Equatable, Sendable {
    /// The handle; empty for the only instance.
    package var handle: Range<Int> = 0..<0
    package var name: Range<Int> = 0..<0
    /// The value; empty for none.
    package var value: Range<Int> = 0..<0
    /// The same number for inputs with the same text around their value, or -1. It can be the key
    /// of a cache for the lookup of handle and name.
    package var route = -1
    /// Whether the value is known to be canonical JSON already.
    package var valueIsCanonical = true
  }

  /// An expectation, as ranges in the line.
  package struct ExpectationLine: Equatable, Sendable {
    package enum Kind: Sendable { case output, request, cancel }

    package let kind: Kind
    /// The time since the beginning of a `+` step; nil at its end, or in a step that takes no time.
    package var offset: Nanoseconds?
    /// The handle; empty for the only instance.
    package var handle: Range<Int> = 0..<0
    /// The id of the request that is made or cancelled; 0 for an output.
    package var id: UInt64 = 0
    /// The name of the output, or the effect of the request.
    package var name: Range<Int> = 0..<0
    /// The value; empty for none.
    package var value: Range<Int> = 0..<0
    package var valueIsCanonical = true
  }
}

/// A line that is neither an input nor an expectation. `handle` is nil for the only instance.
package enum ScriptCommand: Equatable, Sendable {
  case version(Int)
  case plugin(String)
  case open(viewModel: String, handle: String?, config: JSONValue?)
  case close(handle: String)
  case reply(handle: String?, id: UInt64, value: [UInt8])
  case failure(handle: String?, id: UInt64, code: String, message: String)
  case advance(Nanoseconds)
  case advanceUntilIdle
  case seed(UInt64)
  case time(Nanoseconds)
  case locale(String)
  case timeZone(String)
  /// A stored value; nil: there is none under this key.
  case store(key: String, value: JSONValue?)
  case record(effect: String)
  case simulate(effect: String)
  /// Navigation by a flow file. The path is relative to the script's folder.
  case flow(String)
  /// Details that a recorder notes. A complete recording ends with `@end`.
  case recorded(JSONValue)
  case end
  /// A test doesn't play the transcript, for this reason.
  case skip(reason: String)
  /// Names by which a test chooses transcripts.
  case tags([String])
  /// Asks for the latest values of an instance's states.
  case frame(handle: String?)
  /// Something about the session as a whole.
  case control(SessionControl)

  /// The request that the line answers; nil if it isn't an answer.
  package var answered: (handle: String?, id: UInt64)? {
    switch self {
    case .reply(let handle, let id, _), .failure(let handle, let id, _, _): (handle, id)
    case .version, .plugin, .open, .close, .advance, .advanceUntilIdle, .seed, .time, .locale,
      .timeZone, .store, .record, .simulate, .flow, .recorded, .end, .skip, .tags, .frame,
      .control:
      nil
    }
  }

  /// The same answer to another request.
  package func answering(_ id: UInt64) -> ScriptCommand {
    switch self {
    case .reply(let handle, _, let value): .reply(handle: handle, id: id, value: value)
    case .failure(let handle, _, let code, let message):
      .failure(handle: handle, id: id, code: code, message: message)
    case .version, .plugin, .open, .close, .advance, .advanceUntilIdle, .seed, .time, .locale,
      .timeZone, .store, .record, .simulate, .flow, .recorded, .end, .skip, .tags, .frame,
      .control:
      self
    }
  }

  /// When and how a line affects the session.
  package enum Role: Sendable {
    /// It makes something happen in the session.
    case step
    /// It takes effect before the step that it directly follows, because a recorder learns only
    /// within a step what the step reads.
    case beforeStep
    /// It takes effect where it stands, between two steps.
    case betweenSteps
    /// It configures the session, and comes before the first instance.
    case setting
    /// It has no effect.
    case remark
    /// It is about the session as a whole.
    case control
  }

  package var role: Role {
    switch self {
    case .open, .close, .reply, .failure, .advance, .advanceUntilIdle: .step
    case .plugin, .store: .beforeStep
    case .flow: .betweenSteps
    case .seed, .time, .locale, .timeZone, .record, .simulate: .setting
    case .version, .recorded, .end, .skip, .tags, .frame: .remark
    case .control: .control
    }
  }
}

extension ScriptLine {
  /// The line's role; nil for a line that isn't executed.
  package var role: ScriptCommand.Role? {
    switch self {
    // Few lines are rewritten, and nearly all lines in JSON are steps.
    case .input, .rewritten: .step
    case .command(let command): command.role
    case .nothing, .expectation: nil
    }
  }

  /// Parses a line, in text or as JSON Lines: a line that begins with `{` is JSON.
  ///
  /// - Parameters:
  ///   - line: the line without its line break. If a value spans several lines, all of them with
  ///     the line breaks between them.
  ///   - seq: set to the number that the sender gave a line in JSON, if it has one.
  /// - Throws: what is wrong with the line. The error's `isIncomplete` tells whether a text line
  ///   ends within its value.
  package static func parse(
    _ line: Span<UInt8>, seq: inout UInt64?
  ) throws(ScriptError) -> ScriptLine {
    guard !line.isEmpty else { return .nothing }
    if line[0] == UInt8(ascii: "{") { return try JSONLineParser.parse(line, seq: &seq) }
    if line.count >= 3, line[0] == 0xef, line[1] == 0xbb, line[2] == 0xbf {
      throw ScriptError("this begins with a byte order mark. Save it as UTF-8 without one.", at: 0)
    }
    if let nul = line.firstIndex(of: 0, from: 0) {
      throw ScriptError("there is a NUL byte in this line.", at: nul)
    }
    return try TextLineParser.parse(line)
  }

  /// Parses a line whose sender gets no answer.
  package static func parse(_ line: Span<UInt8>) throws(ScriptError) -> ScriptLine {
    var seq: UInt64?
    return try parse(line, seq: &seq)
  }

  /// What a line that can't be read says about its number.
  package enum BrokenSeq: Equatable, Sendable {
    /// It has none, or breaks off before it.
    case missing
    /// It has one that is no such number.
    case unreadable
    case number(UInt64)
  }

  /// The number that the sender gave a line that can't be read as a whole.
  package static func seq(ofBroken line: Span<UInt8>) -> BrokenSeq {
    guard !line.isEmpty, line[0] == UInt8(ascii: "{") else { return .missing }
    return JSONLineParser.seq(ofBroken: line)
  }
}
