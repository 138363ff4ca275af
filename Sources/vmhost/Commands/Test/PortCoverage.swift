import HostCore

/// The declared inputs, states and signals of plugins, and those that some transcript touches.
struct PortCoverage: Sendable {
  struct Port: Hashable, Sendable {
    let viewModel: String
    let kind: String
    let name: String
  }

  private(set) var declared: Set<Port> = []
  private(set) var touched: Set<Port> = []

  /// Adds the view models of a session's plugins.
  mutating func declare(_ manifests: [PluginManifest]) {
    for viewModel in manifests.flatMap(\.viewModels) {
      for input in viewModel.inputs {
        declared.insert(Port(viewModel: viewModel.id, kind: "input", name: input.name))
      }
      for index in viewModel.outputs.indices { declared.insert(Self.port(index, of: viewModel)) }
    }
  }

  private static func port(_ output: Int, of viewModel: ViewModelManifest) -> Port {
    Port(
      viewModel: viewModel.id, kind: output < viewModel.stateCount ? "state" : "signal",
      name: viewModel.outputs[output].name)
  }

  mutating func touch(input name: String, of viewModel: ViewModelManifest) {
    touched.insert(Port(viewModel: viewModel.id, kind: "input", name: name))
  }

  mutating func touch(output: Int, of viewModel: ViewModelManifest) {
    touched.insert(Self.port(output, of: viewModel))
  }

  mutating func merge(_ other: PortCoverage) {
    declared.formUnion(other.declared)
    touched.formUnion(other.touched)
  }

  /// The report for people, with the ports that no transcript touches.
  var report: String {
    guard !declared.isEmpty else { return "Port coverage: no plugin was loaded.\n" }
    let missing = declared.subtracting(touched)
    var lines = [
      "Port coverage: \(declared.count - missing.count) of \(declared.count) inputs, states and"
        + " signals are touched."
    ]
    let sorted = missing.sorted {
      ($0.viewModel, $0.kind, $0.name) < ($1.viewModel, $1.kind, $1.name)
    }
    lines += sorted.map { "  untouched: \($0.kind) \($0.viewModel).\($0.name)" }
    return lines.joined(separator: "\n") + "\n"
  }
}
