package import CanonicalJSON

/// The contents of a flow file. Its names aren't looked up in the manifests of plugins yet.
package struct FlowDocument: Sendable {
  /// An instance that is opened.
  package struct Opening: Sendable {
    package let viewModel: String
    package let handle: String
    package let config: JSONNode?
    /// The offset of the view model's id in the file.
    let offset: Int
  }

  /// A signal or an input, as in `list.didSelectQuery`.
  package struct Port: Sendable {
    package let handle: String
    package let name: String
    /// The offset of the port in the file.
    let offset: Int

    package var text: String { "\(handle).\(name)" }
  }

  package enum Act: Sendable {
    case open(Opening, unlessOpen: Bool)
    case close(handle: String)
    /// - Parameter value: nil for the signal's own value.
    case feed(Port, value: JSONNode?, mayRepeat: Bool)
  }

  package struct Action: Sendable {
    package let act: Act
    /// The offset of the action in the file.
    let offset: Int
  }

  /// A signal and the actions that it leads to.
  package struct Signal: Sendable {
    package let port: Port
    package let actions: [Action]
  }

  let path: String
  let source: [UInt8]
  /// The instances that the flow opens at its start, at least one.
  package let starts: [Opening]
  /// The signals, in the order of the file.
  package let signals: [Signal]
  /// The offset of each line.
  private let lineStarts: [Int]

  init(path: String, source: [UInt8], starts: [Opening], signals: [Signal]) {
    self.path = path
    self.source = source
    self.starts = starts
    self.signals = signals
    lineStarts = [0] + source.indices.filter { source[$0] == 0x0a }.map { $0 + 1 }
  }

  /// Reads a flow file.
  ///
  /// - Parameter isNamedByUser: whether the user names the file. A script could name any file, so
  ///   an error says nothing of what is in one that isn't a flow.
  /// - Throws: if it can't be read, isn't a regular file, or isn't a flow.
  package init(contentsOf path: String, isNamedByUser: Bool = true) throws(FlowError) {
    let bytes = try Self.read(path)
    if !isNamedByUser { try Self.requireFlow(bytes, path: path) }
    try self.init(bytes, path: path)
  }

  /// Throws unless the bytes are JSON with what each flow has: a start that opens something.
  private static func requireFlow(_ bytes: [UInt8], path: String) throws(FlowError) {
    let value: JSONValue
    do throws(JSONError) { value = try JSONValue(parsing: bytes.span) } catch {
      let place = ScriptError("", at: error.offset).place(number: 1, line: bytes.span).place
      let column = place.column.map { ":\($0)" } ?? ""
      throw FlowError("\(path):\(place.number)\(column): this is not JSON, and so not a flow.")
    }
    let start = value["start"]
    guard (start?.arrayValue ?? [start ?? .null]).contains(where: { $0["open"] != nil }) else {
      throw FlowError(
        "\(path): this is not a flow: it has no \"start\", as in"
          + " {\"start\":{\"open\":\"movies.list\"}}.")
    }
  }

  /// Reads a flow from the bytes of a file.
  ///
  /// - Parameter path: names the file in messages.
  /// - Throws: if the bytes aren't a flow.
  package init(_ bytes: [UInt8], path: String) throws(FlowError) {
    do throws(ScriptError) {
      var reader = try FlowReader(bytes, path: path)
      self = try reader.document()
    } catch {
      throw FlowError(error, in: bytes, path: path)
    }
  }

  /// The largest flow.
  private static let maxBytes = 1 << 24

  static func read(_ path: String) throws(FlowError) -> [UInt8] {
    do throws(SystemError) {
      // Opening a pipe would wait for its other end.
      if try Files.kind(of: path) == .regular {
        return try Files.read(path, limit: maxBytes)
      }
    } catch {
      throw FlowError("could not read the flow \"\(path)\": \(error.reason).")
    }
    throw FlowError("could not read the flow \"\(path)\": it is not a file.")
  }

  /// All instances that the flow opens, at its start or for a signal, in the order of the file.
  package var openings: [Opening] {
    starts
      + signals.flatMap(\.actions).compactMap { action in
        if case .open(let opening, _) = action.act { opening } else { nil }
      }
  }

  /// The file, line and column of an offset, as in `movies.json:12:5`.
  func location(of offset: Int) -> String {
    let number = lineNumber(of: offset)
    let column = source[lineStarts[number - 1]..<offset].count { $0 & 0xc0 != 0x80 } + 1
    return "\(path):\(number):\(column)"
  }

  /// The number of the line that an offset is in, counted from 1.
  private func lineNumber(of offset: Int) -> Int {
    var (low, high) = (0, lineStarts.count)
    while high - low > 1 {
      let middle = (low + high) / 2
      if lineStarts[middle] <= offset { low = middle } else { high = middle }
    }
    return low + 1
  }

  // MARK: As JSON

  /// The same flow in its full form: with every handle, and with an array wherever one is allowed.
  package var json: JSONValue {
    var lists: [String: [JSONValue]] = [:]
    // No signal occurs twice, because the reader refuses JSON with duplicate keys.
    for signal in signals { lists[signal.port.text] = signal.actions.map(Self.json) }
    return .object([
      "start": .array(starts.map { .object(Self.members(of: $0)) }),
      "on": .object(lists.mapValues(JSONValue.array)),
    ])
  }

  private static func json(_ action: Action) -> JSONValue {
    switch action.act {
    case .open(let opening, let unlessOpen):
      var members = members(of: opening)
      if unlessOpen { members["unlessOpen"] = .bool(true) }
      return .object(members)
    case .close(let handle): return .object(["close": .string(handle)])
    case .feed(let port, let value, let mayRepeat):
      var members: [String: JSONValue] = ["feed": .string(port.text)]
      members["value"] = value?.value
      if mayRepeat { members["mayRepeat"] = .bool(true) }
      return .object(members)
    }
  }

  private static func members(of opening: Opening) -> [String: JSONValue] {
    var members: [String: JSONValue] = [
      "open": .string(opening.viewModel), "as": .string(opening.handle),
    ]
    members["config"] = opening.config?.value
    return members
  }
}

/// What is wrong with a flow file, with the line and the position in it.
package struct FlowError: Error, Equatable, Sendable, CustomStringConvertible {
  package let description: String
  /// Whether the file is a flow, but the plugins don't have what it names.
  package let isMisfit: Bool

  init(_ description: String, isMisfit: Bool = false) {
    self.description = description
    self.isMisfit = isMisfit
  }

  init(_ error: ScriptError, in source: [UInt8], path: String, isMisfit: Bool = false) {
    self.init(error.report(source: path, number: 1, line: source.span), isMisfit: isMisfit)
  }
}
