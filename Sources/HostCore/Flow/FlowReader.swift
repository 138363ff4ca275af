import Basics
import CanonicalJSON

/// Reads a flow file, and checks everything that can be checked without manifests.
struct FlowReader {
  /// An object of the file that describes an action.
  struct Step {
    let offset: Int
    let members: [JSONNode.Member]

    subscript(_ name: String) -> JSONNode? { members.first { $0.name == name }?.value }

    /// The offset of a member's value, or of the object if it has no such member.
    func offset(of name: String) -> Int { self[name]?.range.lowerBound ?? offset }
  }

  private let source: [UInt8]
  private let path: String
  private let root: JSONNode
  /// The view models of all handles that the flow opens.
  private var handles: [String: String] = [:]
  private var cycles = FlowCycles()

  init(_ bytes: [UInt8], path: String) throws(ScriptError) {
    source = bytes
    self.path = path
    root = try JSONNode(bytes)
  }

  mutating func document() throws(ScriptError) -> FlowDocument {
    let members = try root.members(what: "a flow", known: ["$schema", "start", "on"])
    let step = Step(offset: root.range.lowerBound, members: members)
    if step["$schema"] != nil { _ = try text("$schema", of: step) }
    guard let start = step["start"] else {
      throw ScriptError(
        "a flow needs a \"start\", as in {\"start\":{\"open\":\"movies.list\"}}.", at: step.offset)
    }
    let starts = try self.starts(start)
    let lists = try self.lists(step["on"])
    // A signal may belong to an instance that a later signal opens, so all handles come first.
    for (_, steps) in lists {
      for step in steps where step["open"] != nil { _ = try opening(step) }
    }
    var signals: [FlowDocument.Signal] = []
    for (member, steps) in lists { signals.append(try signal(member, steps)) }
    try cycles.check()
    return FlowDocument(path: path, source: source, starts: starts, signals: signals)
  }

  // MARK: Form

  private mutating func starts(_ node: JSONNode) throws(ScriptError) -> [FlowDocument.Opening] {
    var starts: [FlowDocument.Opening] = []
    for node in Self.elements(of: node) {
      let members = try node.members(what: "the start", known: ["open", "as", "config"])
      let step = Step(offset: node.range.lowerBound, members: members)
      guard step["open"] != nil else {
        throw ScriptError(
          "the start needs \"open\" with a view model, as in {\"open\":\"movies.list\"}.",
          at: step.offset)
      }
      let opening = try opening(step)
      guard !starts.contains(where: { $0.handle == opening.handle }) else {
        throw ScriptError(
          "the start already has \"\(opening.handle)\". Give this one another handle with \"as\".",
          at: step.offset(of: step["as"] == nil ? "open" : "as"))
      }
      if let config = opening.config {
        try FlowTemplateValidator.checkForm(config, isStart: true, isConfig: true)
      }
      starts.append(opening)
    }
    guard !starts.isEmpty else {
      throw ScriptError(
        "the start is empty: it must open at least one view model.", at: node.range.lowerBound)
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

  /// The elements of an array, or else the node alone.
  private static func elements(of node: JSONNode) -> [JSONNode] {
    if case .array(let elements) = node.content { elements } else { [node] }
  }

  private static let verbs = ["open", "close", "feed"]
  private static let modifiers = [
    "open": ["as", "config", "unlessOpen"], "close": [], "feed": ["value", "mayRepeat"],
  ]

  /// An object that opens, closes or feeds one instance.
  private func action(_ node: JSONNode) throws(ScriptError) -> Step {
    let members = try node.members(
      what: "an action",
      known: ["open", "as", "config", "unlessOpen", "close", "feed", "value", "mayRepeat"])
    let step = Step(offset: node.range.lowerBound, members: members)
    let verbs = members.filter { Self.verbs.contains($0.name) }
    guard let verb = verbs.first else {
      throw ScriptError("an action needs one of \"open\", \"close\" and \"feed\".", at: step.offset)
    }
    if verbs.count > 1 {
      throw ScriptError(
        "an action does one thing. Write several as an array: [{\"\(verb.name)\":…},"
          + " {\"\(verbs[1].name)\":…}].", at: verbs[1].offset)
    }
    for member in members where member.name != verb.name {
      guard Self.modifiers[verb.name]?.contains(member.name) == true else {
        throw ScriptError("\"\(verb.name)\" has no \"\(member.name)\".", at: member.offset)
      }
    }
    return step
  }

  private func text(_ name: String, of step: Step) throws(ScriptError) -> String {
    guard case .string(let text) = step[name]?.content else {
      throw ScriptError("\"\(name)\" must be a string.", at: step.offset(of: name))
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

  /// The opening that an action describes. Its handle is known from now on.
  private mutating func opening(_ step: Step) throws(ScriptError) -> FlowDocument.Opening {
    let id = try text("open", of: step)
    let idOffset = step.offset(of: "open")
    guard ManifestReader.isIdentifier(id) else {
      throw ScriptError(
        "\"\(id)\" can't be the id of a view model, such as \"movies.list\".", at: idOffset)
    }
    let hasOwnHandle = step["as"] != nil
    let handle =
      hasOwnHandle ? try text("as", of: step) : ViewModelManifest.defaultHandle(of: id)
    let offset = hasOwnHandle ? step.offset(of: "as") : idOffset
    guard ManifestReader.isPortName(handle[...]) else {
      throw ScriptError(
        "\"\(handle)\" can't be a handle: use \(ManifestReader.portNameRule).", at: offset)
    }
    if let other = handles[handle], other != id {
      throw ScriptError(
        "\"\(handle)\" is \(other) already. Give this one another handle with \"as\".", at: offset)
    }
    let config = step["config"]
    if let config, config.value.objectValue == nil {
      throw ScriptError("a config must be a JSON object.", at: config.range.lowerBound)
    }
    handles[handle] = id
    return FlowDocument.Opening(viewModel: id, handle: handle, config: config, offset: idOffset)
  }

  /// A port of an instance that the flow opens, written as `handle.name`.
  private func port(
    _ text: String, _ what: String, at offset: Int
  ) throws(ScriptError) -> FlowDocument.Port {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 2, parts.allSatisfy(ManifestReader.isPortName) else {
      throw ScriptError(
        "\"\(text)\" is not \(what), which is written as \"HANDLE.NAME\".", at: offset)
    }
    let port = FlowDocument.Port(handle: String(parts[0]), name: String(parts[1]), offset: offset)
    try checkIsOpened(port.handle, at: offset)
    return port
  }

  private func checkIsOpened(_ handle: String, at offset: Int) throws(ScriptError) {
    guard handles[handle] == nil else { return }
    throw ScriptError(
      "this flow opens no instance \"\(handle)\"."
        + NearestName.hint(for: handle, among: handles.keys), at: offset)
  }

  // MARK: Signals

  private mutating func signal(
    _ member: JSONNode.Member, _ steps: [Step]
  ) throws(ScriptError) -> FlowDocument.Signal {
    let port = try port(member.name, "a signal", at: member.offset)
    var actions: [FlowDocument.Action] = []
    for step in steps {
      actions.append(FlowDocument.Action(act: try act(step, of: port), offset: step.offset))
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
      try checkIsOpened(closed, at: step.offset(of: "close"))
      return .close(handle: closed)
    }
    let offset = step.offset(of: "feed")
    let input = try port(try text("feed", of: step), "an input", at: offset)
    let mayRepeat = try flag("mayRepeat", of: step)
    if !mayRepeat {
      cycles.add(
        FlowCycles.Feed(
          from: signal.handle, to: input.handle,
          description: "\(signal.text) → \(input.text)", offset: offset))
    }
    return .feed(input, value: step["value"], mayRepeat: mayRepeat)
  }
}
