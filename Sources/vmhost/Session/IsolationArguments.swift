import Basics
import HostCore

extension PluginIsolation {
  /// The isolation that `--in-process`, `--sandbox` and `--memory` ask for.
  init(_ arguments: ParsedArguments) throws(Failure) {
    let mode = arguments.value(of: "sandbox").flatMap(SandboxMode.init)
    let memory: UInt64? = try arguments.read("memory", as: ByteCount.form, ByteCount.parse)
    guard arguments.flag("in-process") else {
      self = .worker(Sandbox(mode ?? .bestEffort, memory: memory ?? Confinement.defaultMemory))
      return
    }
    if let option = mode != nil ? "sandbox" : memory != nil ? "memory" : nil {
      throw Failure(
        .usage,
        "--\(option) is for plugins in processes of their own: it can't go with --in-process.")
    }
    self = .inProcess
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
