import Basics
import CanonicalJSON

/// Reads a line of a script in its JSON Lines form: an object whose `kind` names the kind of line.
enum JSONLineParser {
  /// The members that a line may have. Which of them it may have depends on its kind.
  enum Member: Int, CaseIterable {
    case kind, instance, name, value, id, code, message, by, viewModel, config, seq, step, mode, to
    case effect, on, branch

    static let names = allCases.map { Array("\($0)".utf8) }

    /// Whether the value is a string that is used as its bytes, unparsed.
    var isName: Bool { self == .kind || self == .instance || self == .name }
  }

  /// The range of each member's value, without the quotes of a name; empty for a missing member.
  struct Members {
    var ranges: InlineArray<17, Range<Int>> = .init(repeating: 0..<0)
    var valueIsCanonical = true
    /// Whether a name has escapes, so that its bytes are not its text.
    var hasEscapes = false

    subscript(_ member: Member) -> Range<Int> {
      get { ranges[member.rawValue] }
      set { ranges[member.rawValue] = newValue }
    }
  }

  private enum Kind: String, CaseIterable {
    case input, reply, error, advance, open, close, frame, go, describe, save, time, hold, ask

    /// The members that a line of this kind may have beside `kind` and `seq`, and those that it
    /// must have.
    var members: (all: [Member], required: [Member]) {
      switch self {
      case .input: ([.instance, .name, .value], [.name])
      case .reply: ([.instance, .id, .value], [.id])
      case .error: ([.instance, .id, .code, .message], [.id, .code])
      case .advance: ([.by], [.by])
      case .open: ([.viewModel, .instance, .config], [.viewModel])
      case .close: ([.instance], [.instance])
      case .frame: ([.instance], [])
      case .go: ([.step, .branch], [.step])
      case .describe, .save: ([], [])
      case .time: ([.mode, .to], [])
      case .hold: ([.effect, .on], [])
      case .ask: ([.instance, .id], [.id])
      }
    }
  }

  /// - Parameter seq: set to the number that the sender gave the line, if it has one.
  static func parse(
    _ line: Span<UInt8>, seq: inout UInt64?
  ) throws(ScriptError) -> ScriptLine {
    let members = try self.members(of: line)
    seq = try self.seq(members, line)
    guard members.hasEscapes else { return try interpret(members, line) }
    let canonical = try canonical(line, 0..<line.count)
    do throws(ScriptError) {
      let members = try self.members(of: canonical.span)
      // Canonical form only escapes characters that no name has.
      guard !members.hasEscapes else {
        throw ScriptError("a name in this line has characters that no name can have.", at: .unknown)
      }
      seq = try self.seq(members, canonical.span)
      _ = try interpret(members, canonical.span)
    } catch {
      // The offset is one in the canonical form, not in the line.
      throw ScriptError(error.message, at: .unknown)
    }
    return .rewritten(canonical)
  }

  /// Where a part begins; nil if the line doesn't have it, or writes its name in an unusual way.
  static func offset(of part: LinePart, in line: Span<UInt8>) -> Int? {
    guard let members = try? members(of: line) else { return nil }
    let choices: [Member] =
      switch part {
      case .subject: [.viewModel, .instance, .name, .id, .by, .effect]
      case .handle: [.instance]
      case .name: [.name]
      case .id: [.id]
      case .unknown: []
      }
    return choices.lazy.map { members[$0] }.first { !$0.isEmpty }?.lowerBound
  }

  /// The names in a line, without their quotes; empty where the line doesn't have them.
  static func names(
    in line: Span<UInt8>
  ) throws(ScriptError) -> (viewModel: Range<Int>, instance: Range<Int>, name: Range<Int>) {
    let members = try members(of: line)
    let quoted = members[.viewModel]
    let viewModel = quoted.isEmpty ? quoted : quoted.lowerBound + 1..<quoted.upperBound - 1
    return (viewModel, members[.instance], members[.name])
  }

  private static func interpret(
    _ members: Members, _ line: Span<UInt8>
  ) throws(ScriptError) -> ScriptLine {
    let kind = members[.kind]
    let name = kind.isEmpty ? "\(Kind.input)" : String(repairing: line.extracting(kind))
    guard let known = Kind(rawValue: name) else {
      throw ScriptError(
        "there is no kind \"\(name)\" of line."
          + NearestName.hint(for: name, among: Kind.allCases.map(\.rawValue)),
        at: kind.lowerBound, code: .unsupported)
    }
    try check(members, against: known)
    return try self.line(known, members, line)
  }

  private static func check(
    _ members: Members, against kind: Kind
  ) throws(ScriptError) {
    let (all, required) = kind.members
    for member in Member.allCases
    where member != .kind && member != .seq && !members[member].isEmpty {
      guard !all.contains(member) else { continue }
      throw ScriptError(
        "a line of kind \"\(kind)\" has no \"\(member)\".", at: members[member].lowerBound)
    }
    for member in required where members[member].isEmpty {
      throw ScriptError("a line of kind \"\(kind)\" needs \"\(member)\".", at: 0)
    }
  }

  private static func line(
    _ kind: Kind, _ members: Members, _ line: Span<UInt8>
  ) throws(ScriptError) -> ScriptLine {
    var handle: String? {
      members[.instance].isEmpty ? nil : String(repairing: line.extracting(members[.instance]))
    }
    switch kind {
    case .input:
      var input = ScriptLine.InputLine()
      input.handle = members[.instance]
      input.name = members[.name]
      input.value = members[.value]
      input.valueIsCanonical = members.valueIsCanonical
      return .input(input)
    case .reply:
      let id = try self.id(members, line)
      return .command(
        .reply(handle: handle, id: id, value: try canonical(line, members[.value])))
    case .error:
      let (id, code) = (try self.id(members, line), try text(.code, members, line) ?? "")
      let message = try text(.message, members, line) ?? ""
      return .command(.failure(handle: handle, id: id, code: code, message: message))
    case .advance:
      let by = try text(.by, members, line) ?? ""
      return .command(try TextLineParser.advance(by, at: members[.by].lowerBound))
    case .open:
      let viewModel = try text(.viewModel, members, line) ?? ""
      guard !viewModel.isEmpty, viewModel.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7f }) else {
        throw ScriptError(
          "\"viewModel\" must be the id of a view model, such as \"movies.list\".",
          at: members[.viewModel].lowerBound)
      }
      let config = members[.config]
      return .command(
        .open(
          viewModel: viewModel, handle: handle,
          config: config.isEmpty ? nil : try TextLineParser.decodedValue(of: line, config)))
    case .close: return .command(.close(handle: handle ?? ""))
    case .frame: return .command(.frame(handle: handle))
    case .go: return .command(.control(try go(members, line)))
    case .describe: return .command(.control(.describe))
    case .save: return .command(.control(.save))
    case .time: return .command(.control(.time(try timeChange(members, line))))
    case .hold: return .command(.control(.hold(try holdChange(members, line))))
    case .ask:
      return .command(.control(.ask(handle: handle, id: try id(members, line))))
    }
  }

  // MARK: The number of a line

  /// The largest `seq`: the largest whole number that every language's JSON keeps exact.
  static let maxSeq: UInt64 = (1 << 53) - 1

  /// The number of a line that can't be read as a whole.
  static func seq(ofBroken line: Span<UInt8>) -> ScriptLine.BrokenSeq {
    var offset = 1
    let name = Member.names[Member.seq.rawValue]
    while let (key, value) = try? anyMember(line, &offset) {
      if name.span.equals(line.extracting(key)) {
        guard let number = seq(line.extracting(value)) else { return .unreadable }
        return .number(number)
      }
      guard (try? continues(line, &offset)) == true else { break }
    }
    return .missing
  }

  private static func seq(
    _ members: Members, _ line: Span<UInt8>
  ) throws(ScriptError) -> UInt64? {
    let range = members[.seq]
    guard !range.isEmpty else { return nil }
    guard let number = seq(line.extracting(range)) else {
      throw ScriptError(
        "\"seq\" must be a whole number from 0 to \(maxSeq).", at: range.lowerBound)
    }
    return number
  }

  /// The number that some bytes are, or nil.
  static func seq(_ digits: Span<UInt8>) -> UInt64? {
    guard !digits.isEmpty, digits.count <= 16 else { return nil }
    var number: UInt64 = 0
    for index in digits.indices {
      let digit = digits[index]
      guard 0x30...0x39 ~= digit else { return nil }
      number = number &* 10 &+ UInt64(digit &- 0x30)
    }
    return number <= maxSeq && (digits[0] != 0x30 || digits.count == 1) ? number : nil
  }

  private static func id(_ members: Members, _ line: Span<UInt8>) throws(ScriptError) -> UInt64 {
    let text = String(repairing: line.extracting(members[.id]))
    guard let id = UInt64(text), id > 0 else {
      throw ScriptError(
        "\"id\" must be the number of a request, from 1 on.", at: members[.id].lowerBound)
    }
    return id
  }

  static func text(
    _ member: Member, _ members: Members, _ line: Span<UInt8>
  ) throws(ScriptError) -> String? {
    let range = members[member]
    guard !range.isEmpty else { return nil }
    guard let text = (try? JSONValue(parsing: line.extracting(range)))?.stringValue else {
      throw ScriptError("\"\(member)\" must be a string.", at: range.lowerBound)
    }
    return text
  }

  private static func canonical(
    _ line: Span<UInt8>, _ range: Range<Int>
  ) throws(ScriptError) -> [UInt8] {
    guard !range.isEmpty else { return [] }
    do throws(JSONError) {
      return try CanonicalJSON.bytes(line.extracting(range))
    } catch {
      throw ScriptError(
        "this line is not JSON: \(error.detail).", at: range.lowerBound + error.offset)
    }
  }

  // MARK: Members

  private static func members(of line: Span<UInt8>) throws(ScriptError) -> Members {
    var members = Members()
    var offset = 1
    JSONScanner.skipWhitespace(in: line, at: &offset)
    if offset < line.count && line[offset] == UInt8(ascii: "}") {
      offset += 1
    } else {
      while try readMember(line, &offset, &members) {}
    }
    JSONScanner.skipWhitespace(in: line, at: &offset)
    guard offset == line.count else {
      throw ScriptError("this line is not JSON: expected its end after the object.", at: offset)
    }
    return members
  }

  /// Reads a member, whatever it is.
  private static func anyMember(
    _ line: Span<UInt8>, _ offset: inout Int
  ) throws(ScriptError) -> (key: Range<Int>, value: Range<Int>) {
    JSONScanner.skipWhitespace(in: line, at: &offset)
    let key = try string(line, &offset).content
    try expect(UInt8(ascii: ":"), line, &offset)
    JSONScanner.skipWhitespace(in: line, at: &offset)
    let start = offset
    do throws(JSONError) {
      _ = try JSONScanner.skipValue(in: line, at: &offset)
    } catch {
      throw ScriptError("this line is not JSON: \(error.detail).", at: error.offset)
    }
    return (key, start..<offset)
  }

  /// Reads a member and the comma or brace that follows it.
  ///
  /// - Returns: whether another member follows.
  private static func readMember(
    _ line: Span<UInt8>, _ offset: inout Int, _ members: inout Members
  ) throws(ScriptError) -> Bool {
    JSONScanner.skipWhitespace(in: line, at: &offset)
    let (key, keyHasEscapes) = try string(line, &offset)
    // The canonical form, which is read next, has no escapes in the names of known members.
    let member = keyHasEscapes ? nil : try member(named: key, in: line)
    if let member, !members[member].isEmpty {
      throw ScriptError("\"\(member)\" appears twice.", at: key.lowerBound)
    }
    try expect(UInt8(ascii: ":"), line, &offset)
    JSONScanner.skipWhitespace(in: line, at: &offset)
    let start = offset
    members.hasEscapes = members.hasEscapes || keyHasEscapes
    if let member, member.isName {
      let name = try string(line, &offset)
      guard !name.content.isEmpty else {
        throw ScriptError("\"\(member)\" must not be empty.", at: start)
      }
      members[member] = name.content
      if name.hasEscapes {
        members.hasEscapes = true
      } else {
        try checkName(line, name.content)
      }
    } else {
      do throws(JSONError) {
        let isCanonical = try JSONScanner.skipValue(in: line, at: &offset)
        if let member { members[member] = start..<offset }
        if member == .value { members.valueIsCanonical = isCanonical }
      } catch {
        throw ScriptError("this line is not JSON: \(error.detail).", at: error.offset)
      }
    }
    return try continues(line, &offset)
  }

  /// Throws if the text form couldn't write a name as one word.
  private static func checkName(
    _ line: Span<UInt8>, _ name: Range<Int>
  ) throws(ScriptError) {
    for index in name
    where line[index] <= 0x20 || line[index] == 0x7f || line[index] == UInt8(ascii: ".") {
      throw ScriptError("a name has neither spaces, dots nor control characters.", at: index)
    }
  }

  /// Whether another member follows.
  private static func continues(
    _ line: Span<UInt8>, _ offset: inout Int
  ) throws(ScriptError) -> Bool {
    JSONScanner.skipWhitespace(in: line, at: &offset)
    if offset < line.count && line[offset] == UInt8(ascii: ",") {
      offset += 1
      return true
    }
    try expect(UInt8(ascii: "}"), line, &offset)
    return false
  }

  private static func string(
    _ line: Span<UInt8>, _ offset: inout Int
  ) throws(ScriptError) -> (content: Range<Int>, hasEscapes: Bool) {
    do throws(JSONError) {
      return try JSONScanner.skipString(in: line, at: &offset)
    } catch {
      throw ScriptError("this line is not JSON: \(error.detail).", at: error.offset)
    }
  }

  private static func expect(
    _ byte: UInt8, _ line: Span<UInt8>, _ offset: inout Int
  ) throws(ScriptError) {
    JSONScanner.skipWhitespace(in: line, at: &offset)
    guard offset < line.count, line[offset] == byte else {
      let expected = Character(UnicodeScalar(byte))
      throw ScriptError("this line is not JSON: expected \"\(expected)\".", at: offset)
    }
    offset += 1
  }

  private static func member(
    named content: Range<Int>, in line: Span<UInt8>
  ) throws(ScriptError) -> Member {
    let key = line.extracting(content)
    for (member, name) in zip(Member.allCases, Member.names) {
      if name.span.equals(key) { return member }
    }
    let name = String(repairing: key)
    let hint = NearestName.hint(for: name, among: Member.allCases.map { "\($0)" })
    throw ScriptError("no line has a member \"\(name)\"." + hint, at: content.lowerBound)
  }
}
