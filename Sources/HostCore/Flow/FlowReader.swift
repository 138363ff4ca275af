import Basics
import CanonicalJSON

/// Reads a flow file, and checks all of it that takes no manifest.
struct FlowReader {
  /// One object of the file that says what is done.
  struct Step {
    let place: Int
    let members: [JSONNode.Member]

    subscript(_ name: String) -> JSONNode? { members.first { $0.name == name }?.value }

    /// Where the member that says what is done stands.
    func place(of name: String) -> Int { self[name]?.range.lowerBound ?? place }
  }

  private let source: [UInt8]
  private let path: String
  private let root: JSONNode
  /// The view models of all handles that the flow opens.
  private var handles: [String: String] = [:]
  private var circles = FlowCycles()

  init(_ bytes: [UInt8], path: String) throws(ScriptError) {
    source = bytes
    self.path = path
    root = try JSONNode(bytes)
  }

  mutating func document() throws(ScriptError) -> FlowDocument {
    let members = try self.members(of: root, what: "a flow", known: ["$schema", "start", "on"])
    let step = Step(place: root.range.lowerBound, members: members)
    if step["$schema"] != nil { _ = try text("$schema", of: step) }
    guard let start = step["start"] else {
      throw ScriptError(
        "a flow needs a \"start\", as in {\"start\":{\"open\":\"movies.list\"}}.", at: step.place)
    }
    let starts = try self.starts(start)
    let lists = try self.lists(step["on"])
    // What any signal opens, other signals may be of.
    for (_, steps) in lists {
      for step in steps where step["open"] != nil { _ = try opening(step) }
    }
    var signals: [FlowDocument.Signal] = []
    for (member, steps) in lists { signals.append(try signal(member, steps)) }
    try circles.check()
    return FlowDocument(path: path, source: source, starts: starts, signals: signals)
  }

  // MARK: The form

  private mutating func starts(_ node: JSONNode) throws(ScriptError) -> [FlowDocument.Opening] {
    var starts: [FlowDocument.Opening] = []
    for node in Self.elements(of: node) {
      let members = try self.members(of: node, what: "the start", known: ["open", "as", "config"])
      let step = Step(place: node.range.lowerBound, members: members)
      guard step["open"] != nil else {
        throw ScriptError(
          "the start needs \"open\" with a view model, as in {\"open\":\"movies.list\"}.",
          at: step.place)
      }
      let opening = try opening(step)
      guard !starts.contains(where: { $0.handle == opening.handle }) else {
        throw ScriptError(
          "the start has \"\(opening.handle)\" already. Give this one another handle with \"as\".",
          at: step.place(of: step["as"] == nil ? "open" : "as"))
      }
      if let config = opening.config {
        try FlowTemplateValidator.checkForm(config, isStart: true, isConfig: true)
      }
      starts.append(opening)
    }
    guard !starts.isEmpty else {
      throw ScriptError(
        "the start is empty, and something has to be there first.", at: node.range.lowerBound)
    }
    return starts
  }

  private func lists(_ node: JSONNode?) throws(ScriptError) -> [(JSONNode.Member, [Step])] {
    guard let node else { return [] }
    guard case .object(let members) = node.content else {
      throw ScriptError(
        "expected an object of signals, as in {\"list.showMovieDetails\":{…}}.",
        at: node.range.lowerBound)
    }
    var lists: [(JSONNode.Member, [Step])] = []
    for member in members {
      var steps: [Step] = []
      for node in Self.elements(of: member.value) {
        steps.append(try action(node))
      }
      lists.append((member, steps))
    }
    return lists
  }

  /// What stands in an array, or alone.
  private static func elements(of node: JSONNode) -> [JSONNode] {
    if case .array(let elements) = node.content { elements } else { [node] }
  }

  private static let verbs = ["open", "close", "feed"]
  private static let modifiers = [
    "open": ["as", "config", "unlessOpen"], "close": [], "feed": ["value", "mayRepeat"],
  ]

  /// An object that opens, closes or feeds one instance.
  private func action(_ node: JSONNode) throws(ScriptError) -> Step {
    let members = try self.members(
      of: node, what: "an action",
      known: ["open", "as", "config", "unlessOpen", "close", "feed", "value", "mayRepeat"])
    let step = Step(place: node.range.lowerBound, members: members)
    let verbs = members.filter { Self.verbs.contains($0.name) }
    guard let verb = verbs.first else {
      throw ScriptError("an action needs one of \"open\", \"close\" and \"feed\".", at: step.place)
    }
    if verbs.count > 1 {
      throw ScriptError(
        "an action does one thing. Write several as an array: [{\"\(verb.name)\":…},"
          + " {\"\(verbs[1].name)\":…}].", at: verbs[1].place)
    }
    for member in members where member.name != verb.name {
      guard Self.modifiers[verb.name]?.contains(member.name) == true else {
        throw ScriptError("\"\(verb.name)\" has no \"\(member.name)\".", at: member.place)
      }
    }
    return step
  }

  private func members(
    of node: JSONNode, what: String, known: [String]
  ) throws(ScriptError) -> [JSONNode.Member] {
    guard case .object(let members) = node.content else {
      throw ScriptError("\(what) is an object.", at: node.range.lowerBound)
    }
    for member in members where !known.contains(member.name) {
      throw ScriptError(
        "\(what) has no \"\(member.name)\" here."
          + NearestName.hint(for: member.name, among: known),
        at: member.place)
    }
    return members
  }

  private func text(_ name: String, of step: Step) throws(ScriptError) -> String {
    guard case .string(let text) = step[name]?.content else {
      throw ScriptError("\"\(name)\" must be a string.", at: step.place(of: name))
    }
    return text
  }

  private func flag(_ name: String, of step: Step) throws(ScriptError) -> Bool {
    guard let node = step[name] else { return false }
    guard let flag = node.value.boolValue else {
      throw ScriptError("\"\(name)\" must be true or false.", at: node.range.lowerBound)
    }
    return flag
  }

  // MARK: Handles and ports

  /// The opening that an action says, whose handle is known from now on.
  private mutating func opening(_ step: Step) throws(ScriptError) -> FlowDocument.Opening {
    let id = try text("open", of: step)
    let idPlace = step.place(of: "open")
    guard ManifestReader.isIdentifier(id) else {
      throw ScriptError(
        "\"\(id)\" can't be the id of a view model, such as \"movies.list\".", at: idPlace)
    }
    let hasOwnHandle = step["as"] != nil
    let handle =
      hasOwnHandle ? try text("as", of: step) : ViewModelManifest.defaultHandle(of: id)
    let place = hasOwnHandle ? step.place(of: "as") : idPlace
    guard ManifestReader.isPortName(handle[...]) else {
      throw ScriptError(
        "\"\(handle)\" can't be a handle: use \(ManifestReader.portNameRule).", at: place)
    }
    if let other = handles[handle], other != id {
      throw ScriptError(
        "\"\(handle)\" is \(other) already. Give this one another handle with \"as\".", at: place)
    }
    let config = step["config"]
    if let config, config.value.objectValue == nil {
      throw ScriptError("a config must be a JSON object.", at: config.range.lowerBound)
    }
    handles[handle] = id
    return FlowDocument.Opening(viewModel: id, handle: handle, config: config, place: idPlace)
  }

  /// A port of an instance that the flow opens, written as `handle.name`.
  private func port(
    _ text: String, _ what: String, at place: Int
  ) throws(ScriptError) -> FlowDocument.Port {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 2, parts.allSatisfy(ManifestReader.isPortName) else {
      throw ScriptError(
        "\"\(text)\" is not \(what), which is written as \"HANDLE.NAME\".", at: place)
    }
    let port = FlowDocument.Port(handle: String(parts[0]), name: String(parts[1]), place: place)
    try checkIsOpened(port.handle, at: place)
    return port
  }

  private func checkIsOpened(_ handle: String, at place: Int) throws(ScriptError) {
    guard handles[handle] == nil else { return }
    throw ScriptError(
      "this flow opens no instance \"\(handle)\"."
        + NearestName.hint(for: handle, among: handles.keys), at: place)
  }

  // MARK: Signals

  private mutating func signal(
    _ member: JSONNode.Member, _ steps: [Step]
  ) throws(ScriptError) -> FlowDocument.Signal {
    let port = try port(member.name, "a signal", at: member.place)
    var actions: [FlowDocument.Action] = []
    for step in steps {
      actions.append(FlowDocument.Action(act: try act(step, of: port), place: step.place))
    }
    return FlowDocument.Signal(port: port, actions: actions)
  }

  private mutating func act(
    _ step: Step, of signal: FlowDocument.Port
  ) throws(ScriptError) -> FlowDocument.Act {
    if let config = step["config"] {
      try FlowTemplateValidator.checkForm(config, isStart: false, isConfig: true)
    }
    if let value = step["value"] {
      try FlowTemplateValidator.checkForm(value, isStart: false, isConfig: false)
    }
    if step["open"] != nil {
      return .open(try opening(step), unlessOpen: try flag("unlessOpen", of: step))
    }
    if step["close"] != nil {
      let closed = try text("close", of: step)
      try checkIsOpened(closed, at: step.place(of: "close"))
      return .close(handle: closed)
    }
    let place = step.place(of: "feed")
    let input = try port(try text("feed", of: step), "an input", at: place)
    let mayRepeat = try flag("mayRepeat", of: step)
    if !mayRepeat {
      circles.add(
        FlowCycles.Feed(
          from: signal.handle, to: input.handle, words: "\(signal.text) → \(input.text)", place))
    }
    return .feed(input, value: step["value"], mayRepeat: mayRepeat)
  }
}
