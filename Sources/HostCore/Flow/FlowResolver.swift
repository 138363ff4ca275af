import Basics
import CanonicalJSON

/// Looks up the names of a flow in the manifests of a session.
struct FlowResolver {
  private let document: FlowDocument
  /// The view models of all handles that the flow opens.
  private var handles: [String: ViewModelManifest] = [:]

  init(_ document: FlowDocument, _ manifests: [PluginManifest]) throws(ScriptError) {
    self.document = document
    let viewModels = manifests.flatMap(\.viewModels)
    for opening in document.openings {
      guard let viewModel = viewModels.first(where: { $0.id == opening.viewModel }) else {
        throw ScriptError(
          "there is no view model \"\(opening.viewModel)\"."
            + NearestName.hintOrList(for: opening.viewModel, among: viewModels.map(\.id)),
          at: opening.offset)
      }
      handles[opening.handle] = viewModel
    }
    for start in document.starts { try checkConfig(start, FlowSources()) }
  }

  /// The actions that a signal leads to, by its instance's handle and the number of the output.
  func actions() throws(ScriptError) -> [String: [Int32: [FlowRules.Action]]] {
    var actions: [String: [Int32: [FlowRules.Action]]] = [:]
    for signal in document.signals {
      let viewModel = viewModel(of: signal.port.handle)
      let number = try number(of: signal.port, viewModel)
      let schemas = FlowSources(
        value: viewModel.outputs[number].schema, config: viewModel.configSchema)
      for action in signal.actions {
        let act = try act(action.act, of: signal.port, schemas)
        actions[signal.port.handle, default: [:]][Int32(number), default: []].append(
          FlowRules.Action(act: act, location: document.location(of: action.offset)))
      }
    }
    return actions
  }

  private func checkConfig(
    _ opening: FlowDocument.Opening, _ sources: FlowSources
  ) throws(ScriptError) {
    guard let config = opening.config,
      let schema = viewModel(of: opening.handle).configSchema
    else { return }
    try FlowTypes(sources: sources, isConfig: true).check(config, schema)
  }

  private func viewModel(of handle: String) -> ViewModelManifest {
    guard let viewModel = handles[handle] else {
      preconditionFailure("a flow was read that names \"\(handle)\" and doesn't open it")
    }
    return viewModel
  }

  private func number(
    of signal: FlowDocument.Port, _ viewModel: ViewModelManifest
  ) throws(ScriptError) -> Int {
    guard let number = viewModel.outputs.firstIndex(where: { $0.name == signal.name }) else {
      throw ScriptError(
        "\(signal.handle) (\(viewModel.id)) has no signal \"\(signal.name)\"."
          + NearestName.hint(
            for: signal.name, among: viewModel.signals.map(\.name), prefix: "\(signal.handle)."),
        at: signal.offset)
    }
    guard number >= viewModel.stateCount else {
      throw ScriptError(
        "\"\(signal.name)\" is a state of \(signal.handle), and only signals lead anywhere.",
        at: signal.offset)
    }
    return number
  }

  private func act(
    _ act: FlowDocument.Act, of signal: FlowDocument.Port, _ schemas: FlowSources
  ) throws(ScriptError) -> FlowRules.Act {
    switch act {
    case .open(let opening, let unlessOpen):
      if let config = opening.config {
        try FlowTemplateValidator.check(config, of: signal.text, schemas)
        try checkConfig(opening, schemas)
      }
      return .open(FlowRules.Opening(opening), unlessOpen: unlessOpen)
    case .close(let handle): return .close(handle: handle)
    case .feed(let input, let value, _):
      let viewModel = viewModel(of: input.handle)
      guard let port = viewModel.inputs.firstIndex(where: { $0.name == input.name }) else {
        throw ScriptError(
          "\(input.handle) (\(viewModel.id)) has no input \"\(input.name)\"."
            + NearestName.hint(
              for: input.name, among: viewModel.inputs.map(\.name), prefix: "\(input.handle)."),
          at: input.offset)
      }
      return .feed(
        handle: input.handle, port: port,
        try payload(value, for: input, viewModel.inputs[port].schema, of: signal.text, schemas))
    }
  }

  private func payload(
    _ value: JSONNode?, for input: FlowDocument.Port, _ wanted: JSONValue?, of signal: String,
    _ schemas: FlowSources
  ) throws(ScriptError) -> FlowRules.Payload {
    guard let wanted else {
      guard let value else { return .nothing }
      throw ScriptError("\"\(input.text)\" takes no value.", at: value.range.lowerBound)
    }
    let types = FlowTypes(sources: schemas, isConfig: false)
    if let value {
      try FlowTemplateValidator.check(value, of: signal, schemas)
      try types.check(value, wanted)
      return .template(value.value)
    }
    guard schemas.value != nil else {
      throw ScriptError(
        "\"\(input.text)\" takes a value, and the signal \"\(signal)\" has none. Give one with"
          + " \"value\".", at: input.offset)
    }
    if let mismatch = types.mismatch(wanted) {
      throw ScriptError(
        "\"\(input.text)\" takes \(mismatch.wanted), and the value of \"\(signal)\" is"
          + " \(mismatch.found). A part of it can be given with \"value\", as in"
          + " \"$value.user.name\".", at: input.offset)
    }
    return .value
  }
}
