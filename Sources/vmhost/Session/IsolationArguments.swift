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
  func stepTimeout() throws(Failure) -> Nanoseconds? {
    try read("step-timeout", as: "\(TimeSpan.form), above 0 and of at most 24h") {
      TimeSpan.parse($0).flatMap { $0 > 0 && $0 <= StepLimits.maxTime ? $0 : nil }
    }
  }
}
