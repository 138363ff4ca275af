import HostCore
import TestSupport

/// A machine that refuses layers of confinement, as old kernels and profiles of containers do.
struct LesserMachine: CustomStringConvertible {
  /// What the fixture calls the refusals.
  let refusals: [String]
  /// The layers that are missing because of them.
  let missing: [ConfinementLayer]
  /// The errors of these layers.
  let reason: String

  var description: String { refusals.joined(separator: ",") }

  private static let denied = "Operation not permitted"
  private static let unknown = "Function not implemented"

  /// Each layer refused, in each way that there is.
  static let single: [LesserMachine] = [
    // It takes longer there, and is done all the same.
    .init("descriptors", [], ""),
    .init("fixed-addresses", [.fixedAddresses], denied),
    .init("parent-death", [.parentDeath], denied),
    .init("namespaces", [.namespaces], denied),
    .init("namespaces-used-up", [.namespaces], "No space left on device"),
    .init("privileges", [.privileges], denied),
    .init("limits", [.limits], denied),
    .init("landlock", [.landlock], unknown),
    .init("landlock-off", [.landlock], "Operation not supported"),
    .init("seccomp", [.seccompLoad, .seccompRun], unknown),
  ]

  /// The usual profile of a container.
  static let container = LesserMachine(
    ["namespaces", "fixed-addresses"], [.fixedAddresses, .namespaces], denied)

  /// Every layer refused.
  static let bare = LesserMachine(
    [
      "descriptors", "fixed-addresses", "parent-death", "namespaces", "privileges", "limits",
      "landlock", "seccomp",
    ], ConfinementLayer.allCases.filter { $0 != .descriptors }, "")

  private init(_ refusal: String, _ missing: [ConfinementLayer], _ reason: String) {
    self.init([refusal], missing, reason)
  }

  private init(_ refusals: [String], _ missing: [ConfinementLayer], _ reason: String) {
    self.refusals = refusals
    self.missing = missing
    self.reason = reason
  }

  /// Whether this machine offers all layers, so that the missing ones are known.
  static let isSimulated = (try? Confinement.probe().missing().isEmpty) ?? false

  /// What a run says of the missing layers.
  var notice: String {
    guard !missing.isEmpty else { return "" }
    let names = missing.map(\.rawValue)
    let list =
      names.count == 1
      ? "layer \(names[0])"
      : "layers \(names.dropLast().joined(separator: ", ")) and \(names[names.count - 1])"
    return "vmhost: plugins are confined without the \(list), which this machine doesn't offer; see"
      + " \"vmhost doctor\".\n"
  }

  /// Whether a mode loads plugins here.
  func accepts(_ mode: SandboxMode) -> Bool { mode.demanded.isDisjoint(with: missing) }

  /// Runs vmhost there.
  func output(
    _ arguments: [String], _ input: ChildProcess.Input = .null,
    environment: [String: String] = [:], workingDirectory: String? = nil
  ) async throws -> ChildProcess.Output {
    try await ChildProcess.run(
      BuildProducts.executable("worker-probe"),
      ["lesser", "\(self)", BuildProducts.executable("vmhost")] + arguments,
      environment: VMHostRun.environment.merging(environment) { $1 },
      workingDirectory: workingDirectory, input: input, within: .seconds(300)
    ).asOnFastMachine
  }
}

extension ChildProcess.Output {
  /// The output as it would be on a machine that offers all layers of confinement, so that tests
  /// hold in a container, too.
  var asOnWholeMachine: Self {
    guard !LesserMachine.isSimulated else { return self }
    let beginning = "vmhost: plugins are confined without the layer"
    let lines = stderr.split(separator: "\n", omittingEmptySubsequences: false)
    let missing = /"missing":\[[^\]]*\],/
    let stdout = stdout.replacing(missing, with: "", maxReplacements: 1)
    let stderr = lines.filter { !$0.hasPrefix(beginning) }.joined(separator: "\n")
    return Self(stdoutBytes: Array(stdout.utf8), stderrBytes: Array(stderr.utf8), status: status)
  }
}
