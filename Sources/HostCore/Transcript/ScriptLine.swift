package import CanonicalJSON

/// One line of a script, understood but not yet looked up in a session.
package enum ScriptLine: Equatable, Sendable {
  /// A blank line or a comment.
  case nothing
  case input(InputLine)
  /// What the step before emits; a run doesn't check it.
  case expectation(ExpectationLine)
  case command(ScriptCommand)
  /// The line was written in an unusual way; these bytes say the same and are to be read instead.
  case rewritten([UInt8])

  /// An input, as places in the line: the hot path copies nothing.
  package struct InputLine: Equatable, Sendable {
    /// Empty: the only instance there is.
    package var handle: Range<Int> = 0..<0
    package var name: Range<Int> = 0..<0
    /// Empty: none.
    package var value: Range<Int> = 0..<0
    /// The same number for inputs with the same words around their value, or -1: whoever looks up
    /// handle and name can keep what it found.
    package var route = -1
    /// Whether the value is known to be canonical JSON already.
    package var valueIsCanonical = true
  }

  /// What is expected of a step, as places in the line.
  package struct ExpectationLine: Equatable, Sendable {
    package enum Kind: Sendable { case output, request, cancel }

    package let kind: Kind
    /// When within a `+` step; nil: at its end, or in a step that takes no time.
    package var offset: Nanoseconds?
    /// Empty: the only instance there is.
    package var handle: Range<Int> = 0..<0
    /// Of a request or cancel.
    package var id: UInt64 = 0
    /// Of an output, or the effect of a request.
    package var name: Range<Int> = 0..<0
    /// Empty: none.
    package var value: Range<Int> = 0..<0
    package var valueIsCanonical = true
  }
}

/// What a line that is not an input asks for. `handle` is nil for the only instance there is.
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
  /// Navigation as the file says, whose path is from the script's folder.
  case flow(String)
  /// What a recorder says of itself, in a file that ends with `@end` if it is whole.
  case recorded(JSONValue)
  case end

  /// What a line is to the session.
  package enum Role: Sendable {
    /// Something happens in the session.
    case step
    /// Directly behind a step it takes effect before that step: a recorder finds out only within a
    /// step what that reads.
    case beforeStep
    /// It takes effect where it stands, between two steps.
    case betweenSteps
    /// It says how the session is, and comes before the first instance.
    case setting
    /// It changes nothing.
    case remark
  }

  package var role: Role {
    switch self {
    case .open, .close, .reply, .failure, .advance, .advanceUntilIdle: .step
    case .plugin, .store: .beforeStep
    case .flow: .betweenSteps
    case .seed, .time, .locale, .timeZone, .record, .simulate: .setting
    case .version, .recorded, .end: .remark
    }
  }
}

extension ScriptLine {
  /// What the line is to the session; nil for one that isn't carried out.
  package var role: ScriptCommand.Role? {
    switch self {
    // A line in JSON is always a step.
    case .input, .rewritten: .step
    case .command(let command): command.role
    case .nothing, .expectation: nil
    }
  }

  /// Reads a line, in text or as JSON Lines: a line that begins with `{` is JSON.
  ///
  /// - Parameter line: without its line break; a value that goes on over several lines is given
  ///   whole, with line breaks inside.
  package static func parse(_ line: Span<UInt8>) throws(ScriptError) -> ScriptLine {
    guard !line.isEmpty else { return .nothing }
    if line[0] == UInt8(ascii: "{") { return try JSONLineParser.parse(line) }
    if line.count >= 3, line[0] == 0xef, line[1] == 0xbb, line[2] == 0xbf {
      throw ScriptError("this begins with a byte order mark. Save it as UTF-8 without one.", at: 0)
    }
    if let nul = line.firstIndex(of: 0, from: 0) {
      throw ScriptError("there is a NUL byte in this line.", at: nul)
    }
    return try TextLineParser.parse(line)
  }
}
