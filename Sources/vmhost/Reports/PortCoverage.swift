import CanonicalJSON
import HostCore

/// The declared inputs, states and signals of plugins, and those that some transcript touches.
struct PortCoverage: Sendable, Equatable {
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

  /// Adds the ports of a report for programs.
  mutating func add(_ report: LocatedObject) throws(ScriptError) {
    for port in try report.member("ports")?.value.arrayValue ?? [] {
      guard let viewModel = port["viewModel"]?.stringValue, let kind = port["kind"]?.stringValue,
        let name = port["name"]?.stringValue, case .bool(let isTouched)? = port["touched"]
      else {
        throw ScriptError(
          "each of \"ports\" needs \"kind\", \"viewModel\", \"name\" and \"touched\".", at: 0)
      }
      let port = Port(viewModel: viewModel, kind: kind, name: name)
      declared.insert(port)
      if isTouched { touched.insert(port) }
    }
  }

  // MARK: Reports

  /// How many untouched ports a sentence names.
  private static let maxNamed = 3

  private static func sorted(_ ports: Set<Port>) -> [Port] {
    ports.sorted { ($0.viewModel, $0.kind, $0.name) < ($1.viewModel, $1.kind, $1.name) }
  }

  private var untouched: [Port] { Self.sorted(declared.subtracting(touched)) }

  /// The report for people, with the ports that no transcript touches.
  var report: String {
    guard !declared.isEmpty else { return "Port coverage: no plugin was loaded.\n" }
    let untouched = untouched
    var lines = [
      "Port coverage: \(declared.count - untouched.count) of \(declared.count) inputs, states and"
        + " signals are touched."
    ]
    lines += untouched.map { "  untouched: \($0)" }
    return lines.joined(separator: "\n") + "\n"
  }

  /// The sentence about ports of which too few are touched; nil if there are enough.
  func shortfall(below minimum: Int) -> String? {
    guard !declared.isEmpty else {
      return "--port-coverage-min: no plugin was loaded, so nothing is touched."
    }
    let untouched = untouched
    let count = declared.count - untouched.count
    guard count * 100 < declared.count * minimum else { return nil }
    // Rounded down, so that it is less than what was asked for.
    let percent = count * 100 / declared.count
    var names = untouched.prefix(Self.maxNamed).map(\.description)
    if untouched.count > names.count { names.append("\(untouched.count - names.count) more") }
    let last = names.removeLast()
    let list = names.isEmpty ? last : "\(names.joined(separator: ", ")) and \(last)"
    return "--port-coverage-min: \(percent)% of the ports are touched (\(count) of"
      + " \(declared.count)), not \(minimum)%. Untouched: \(list)."
  }

  /// The report for programs: all ports, each on a line of its own.
  var json: [UInt8] {
    var output = Array("{\"schema\":1".utf8)
    Self.append("vmhost", CommandTable.vmhost.version, to: &output)
    let count = declared.intersection(touched).count
    output += Array(",\"total\":\(declared.count),\"touched\":\(count),\"ports\":[".utf8)
    for (index, port) in Self.sorted(declared).enumerated() {
      output += Array("\(index == 0 ? "" : ",")\n{\"kind\":\"\(port.kind)\"".utf8)
      Self.append("viewModel", port.viewModel, to: &output)
      Self.append("name", port.name, to: &output)
      output += Array(",\"touched\":\(touched.contains(port))}".utf8)
    }
    return output + Array("\(declared.isEmpty ? "" : "\n")]}\n".utf8)
  }

  private static func append(_ name: String, _ value: String, to output: inout [UInt8]) {
    output += Array(",\"\(name)\":".utf8)
    CanonicalJSON.appendString(value, to: &output)
  }
}

extension PortCoverage.Port: CustomStringConvertible {
  var description: String { "\(kind) \(viewModel).\(name)" }
}
