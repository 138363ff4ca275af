import CanonicalJSON

/// Reads a flow file and looks all its names up, so that a mistake shows before anything happens.
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
  let viewModels: [String: ViewModelManifest]
  /// The view models of all handles that the flow opens.
  private(set) var handles: [String: ViewModelManifest] = [:]
  private var openings: [Flow.Opening] = []
  private var actions: [String: [Int32: [Flow.Action]]] = [:]
  private var circles = FlowCircles()

  init(_ bytes: [UInt8], path: String, _ manifests: [PluginManifest]) throws(ScriptError) {
    source = bytes
    self.path = path
    root = try JSONNode(bytes)
    viewModels = Dictionary(
      manifests.flatMap(\.viewModels).map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
  }

  mutating func flow() throws(ScriptError) -> Flow {
    let members = try self.members(of: root, what: "a flow", known: ["start", "on"])
    guard let startNode = members.first(where: { $0.name == "start" })?.value else {
      throw ScriptError(
        "a flow needs a \"start\", as in {\"start\":{\"open\":\"movies.list\"}}.",
        at: root.range.lowerBound)
    }
    let startStep = try step(startNode, known: ["open", "as", "config"])
    guard startStep["open"] != nil else {
      throw ScriptError(
        "the start needs \"open\" with a view model, as in {\"open\":\"movies.list\"}.",
        at: startStep.place)
    }
    let start = try opening(startStep)
    if let config = startStep["config"] {
      try FlowTemplate.check(config, signal: nil, hasValue: false)
    }
    openings = [start]
    let signals = try self.signals(members.first { $0.name == "on" }?.value)
    // What any signal opens, other signals may be of.
    for (_, steps) in signals {
      for step in steps where step["open"] != nil { openings.append(try opening(step)) }
    }
    for (signal, steps) in signals { try add(signal, steps) }
    try circles.check()
    return Flow(path: path, start: start, openings: openings, actions: actions)
  }

  // MARK: The form

  private func signals(
    _ node: JSONNode?
  ) throws(ScriptError) -> [(JSONNode.Member, [Step])] {
    guard let node else { return [] }
    guard case .object(let members) = node.content else {
      throw ScriptError(
        "expected an object of signals, as in {\"list.showMovieDetails\":{…}}.",
        at: node.range.lowerBound)
    }
    var signals: [(JSONNode.Member, [Step])] = []
    for member in members {
      var nodes = [member.value]
      if case .array(let elements) = member.value.content { nodes = elements }
      var steps: [Step] = []
      for node in nodes {
        steps.append(
          try step(
            node,
            known: ["open", "as", "config", "unlessOpen", "close", "feed", "value", "mayRepeat"]))
      }
      signals.append((member, steps))
    }
    return signals
  }

  private static let verbs = ["open", "close", "feed"]
  private static let modifiers = [
    "open": ["as", "config", "unlessOpen"], "close": [], "feed": ["value", "mayRepeat"],
  ]

  /// An object that opens, closes or feeds one instance.
  private func step(_ node: JSONNode, known: [String]) throws(ScriptError) -> Step {
    let members = try self.members(of: node, what: "an action", known: known)
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

  // MARK: The names

  /// The opening that an action says, whose handle is known from now on.
  private mutating func opening(_ step: Step) throws(ScriptError) -> Flow.Opening {
    let id = try text("open", of: step)
    guard let viewModel = viewModels[id] else {
      throw ScriptError(
        "there is no view model \"\(id)\"." + NearestName.hint(for: id, among: viewModels.keys),
        at: step.place(of: "open"))
    }
    let handle = step["as"] == nil ? viewModel.defaultHandle : try text("as", of: step)
    let place = step.place(of: step["as"] == nil ? "open" : "as")
    guard ManifestReader.isPortName(handle[...]) else {
      throw ScriptError(
        "\"\(handle)\" can't be a handle: use letters, digits, _ and -, beginning with a letter.",
        at: place)
    }
    if let other = handles[handle], other.id != id {
      throw ScriptError(
        "\"\(handle)\" is \(other.id) already. Give this one another handle with \"as\".",
        at: place)
    }
    let config = step["config"]
    if let config, config.value.objectValue == nil {
      throw ScriptError("a config must be a JSON object.", at: config.range.lowerBound)
    }
    handles[handle] = viewModel
    return Flow.Opening(
      viewModel: id, handle: handle,
      givenHandle: handle == viewModel.defaultHandle ? nil : handle, config: config?.value)
  }

  private func viewModel(
    of handle: String, at place: Int
  ) throws(ScriptError) -> ViewModelManifest {
    if let viewModel = handles[handle] { return viewModel }
    throw ScriptError(
      "this flow opens no instance \"\(handle)\"."
        + NearestName.hint(for: handle, among: handles.keys), at: place)
  }

  /// The two parts of `handle.name`.
  private func parts(
    _ text: String, _ what: String, at place: Int
  ) throws(ScriptError) -> (handle: String, name: String) {
    let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, !parts[0].isEmpty, !parts[1].isEmpty else {
      throw ScriptError(
        "\"\(text)\" is not \(what), which is written as \"HANDLE.NAME\".", at: place)
    }
    return (String(parts[0]), String(parts[1]))
  }

  private mutating func add(
    _ member: JSONNode.Member, _ steps: [Step]
  ) throws(ScriptError) {
    let (handle, name) = try parts(member.name, "a signal", at: member.place)
    let viewModel = try viewModel(of: handle, at: member.place)
    guard let port = viewModel.outputs.firstIndex(where: { $0.name == name }) else {
      throw ScriptError(
        "\(handle) (\(viewModel.id)) has no signal \"\(name)\"."
          + NearestName.hint(
            for: name, among: viewModel.signals.map(\.name), prefix: "\(handle)."),
        at: member.place)
    }
    guard port >= viewModel.stateCount else {
      throw ScriptError(
        "\"\(name)\" is a state of \(handle), and only signals lead anywhere.", at: member.place)
    }
    let signal = viewModel.outputs[port]
    for step in steps {
      let act = try act(step, signal: member.name, hasValue: signal.hasValue, of: handle)
      let action = Flow.Action(act: act, place: place(step.place))
      actions[handle, default: [:]][Int32(port), default: []].append(action)
    }
  }

  private mutating func act(
    _ step: Step, signal: String, hasValue: Bool, of handle: String
  ) throws(ScriptError) -> Flow.Act {
    if let config = step["config"] {
      try FlowTemplate.check(config, signal: signal, hasValue: hasValue)
    }
    if step["open"] != nil {
      return .open(try opening(step), unlessOpen: try flag("unlessOpen", of: step))
    }
    if step["close"] != nil {
      let closed = try text("close", of: step)
      _ = try viewModel(of: closed, at: step.place(of: "close"))
      return .close(handle: closed)
    }
    return try feed(step, signal: signal, hasValue: hasValue, of: handle)
  }

  private mutating func feed(
    _ step: Step, signal: String, hasValue: Bool, of handle: String
  ) throws(ScriptError) -> Flow.Act {
    let text = try text("feed", of: step)
    let place = step.place(of: "feed")
    let (target, name) = try parts(text, "an input", at: place)
    let viewModel = try viewModel(of: target, at: place)
    guard let port = viewModel.inputs.firstIndex(where: { $0.name == name }) else {
      throw ScriptError(
        "\(target) (\(viewModel.id)) has no input \"\(name)\"."
          + NearestName.hint(for: name, among: viewModel.inputs.map(\.name), prefix: "\(target)."),
        at: place)
    }
    if try !flag("mayRepeat", of: step) {
      circles.add(FlowCircles.Feed(from: handle, to: target, words: "\(signal) → \(text)", place))
    }
    guard viewModel.inputs[port].hasValue else {
      guard let value = step["value"] else {
        return .feed(handle: target, port: port, .nothing)
      }
      throw ScriptError("\"\(text)\" takes no value.", at: value.range.lowerBound)
    }
    if let value = step["value"] {
      try FlowTemplate.check(value, signal: signal, hasValue: hasValue)
      return .feed(handle: target, port: port, .template(value.value))
    }
    guard hasValue else {
      throw ScriptError(
        "\"\(text)\" takes a value, and the signal \"\(signal)\" has none. Say which one with"
          + " \"value\".", at: place)
    }
    return .feed(handle: target, port: port, .value)
  }

  /// A place in words, as in `movies.json:12:5`.
  private func place(_ offset: Int) -> String {
    let before = source[..<offset]
    let number = before.count { $0 == 0x0a } + 1
    let start = before.lastIndex(of: 0x0a).map { $0 + 1 } ?? 0
    let column = before[start...].count { $0 & 0xc0 != 0x80 } + 1
    return "\(path):\(number):\(column)"
  }
}
