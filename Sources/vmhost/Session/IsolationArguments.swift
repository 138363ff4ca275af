import Basics
import HostCore

extension PluginIsolation {
  /// The isolation that `--in-process`, `--sandbox` and `--memory` ask for. What plugins have to
  /// run without is told on standard error.
  init(_ arguments: ParsedArguments) throws(Failure) {
    let mode = arguments.value(of: "sandbox").flatMap(SandboxMode.init)
    let memory: UInt64? = try arguments.read("memory", as: ByteCount.form, ByteCount.parse)
    if arguments.flag("in-process"),
      let option = mode != nil ? "sandbox" : memory != nil ? "memory" : nil
    {
      throw Failure(
        .usage,
        "--\(option) is for plugins in processes of their own: it can't go with --in-process.")
    }
    do throws(SessionFailure) {
      let policy = try SandboxPolicy()
      guard !arguments.flag("in-process") else {
        try policy.allowUnconfined(by: "--in-process")
        self = .inProcess
        return
      }
      var sandbox = Sandbox(
        try policy.mode(mode), memory: memory ?? Confinement.defaultMemory)
      sandbox.missing = MissingLayers { Console.complain(Self.notice(about: $0)) }
      self = .worker(sandbox)
    } catch { throw Failure(error) }
  }

  private static func notice(about missing: [ConfinementLayer]) -> String {
    let names = missing.map(\.rawValue)
    let list =
      names.count == 1
      ? "layer \(names[0])"
      : "layers \(names.dropLast().joined(separator: ", ")) and \(names[names.count - 1])"
    return "vmhost: plugins are confined without the \(list), which this machine doesn't offer; see"
      + " \"vmhost doctor\".\n"
  }

  var isInProcess: Bool { if case .inProcess = self { true } else { false } }
}

extension ParsedArguments {
  /// The value of `--step-timeout`; nil if it wasn't given.
  func stepTimeout() throws(Failure) -> Nanoseconds? { try timeout("step-timeout") }

  /// The value of an option that limits how long something may take; nil if it wasn't given.
  func timeout(_ name: String) throws(Failure) -> Nanoseconds? {
    guard let text = value(of: name) else { return nil }
    if let span = TimeSpan.parse(text), span > 0, span <= StepLimits.maxTime { return span }
    let problem = TimeSpan.problem(
      with: text, form: "\(TimeSpan.form), above 0", max: StepLimits.maxTime)
    throw Failure(.usage, "--\(name): \"\(text)\" \(problem).")
  }
}
