import Basics
import HostCore

extension PluginIsolation {
  /// The isolation that `--in-process`, `--sandbox` and `--memory` ask for. What plugins have to
  /// run without is told on standard error.
  init(_ arguments: ParsedArguments) throws(Failure) {
    let mode = arguments.value(of: "sandbox").flatMap(SandboxMode.init)
    let memory: UInt64? = try arguments.read("memory", as: ByteCount.form, ByteCount.parseMemory)
    if arguments.flag("in-process"),
      let option = mode != nil ? "sandbox" : memory != nil ? "memory" : nil
    {
      throw Failure(
        .usage,
        "--\(option) needs plugins in processes of their own, so it can't be combined with"
          + " --in-process.")
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
  /// The limits that `--step-timeout` and `--limit` give.
  func limits() throws(Failure) -> StepLimits {
    var limits = StepLimits()
    limits.time = try timeout("step-timeout") ?? limits.time
    for text in values(of: "limit") {
      let parts = text.byteSplit(separator: "=", maxSplits: 1)
      guard parts.count == 2 else {
        throw Failure(.usage, "--limit: \"\(text)\" is not NAME=VALUE, as in bytes=64M.")
      }
      guard let limit = StepLimit(rawValue: String(parts[0])) else {
        let names = StepLimit.allCases.map(\.rawValue)
        let hint = NearestName.hint(for: String(parts[0]), among: names)
        throw Failure(
          .usage,
          "--limit: there is no limit \"\(parts[0])\"."
            + (hint.isEmpty ? " There are \(names.joined(separator: ", "))." : hint))
      }
      limits[limit] = try value(String(parts[1]), of: limit)
    }
    return limits
  }

  private func value(_ text: String, of limit: StepLimit) throws(Failure) -> Int {
    let value = limit.isSize ? ByteCount.parse(text).flatMap(Int.init(exactly:)) : Int(text)
    guard let value, value > 0, value <= limit.max, text.first != "+" else {
      let form = limit.isSize ? "a size such as 500K or 64M" : "a whole number"
      let max = limit.isSize ? ByteCount.text(limit.max) : "\(limit.max)"
      throw Failure(
        .usage, "--limit \(limit.rawValue): \"\(text)\" is not \(form), from 1 to \(max).")
    }
    return value
  }

  /// Whether `--strict-plugins` was given.
  func isStrictAboutPlugins() throws(Failure) -> Bool {
    guard flag("strict-plugins") else { return false }
    guard !flag("in-process") else {
      throw Failure(
        .usage,
        "--strict-plugins needs plugins in processes of their own, so it can't be combined with"
          + " --in-process.")
    }
    return true
  }

  /// The lock that `--lock` names; nil if it wasn't given.
  func lock() throws(Failure) -> PluginLock? {
    guard let path = value(of: "lock") else { return nil }
    do throws(SessionFailure) { return try PluginLock(contentsOf: path) } catch {
      throw Failure(error)
    }
  }

  /// The value of an option that limits how long something may take; nil if it wasn't given.
  func timeout(_ name: String) throws(Failure) -> Nanoseconds? {
    guard let text = value(of: name) else { return nil }
    if let span = TimeSpan.parse(text), span > 0, span <= StepLimits.maxTime { return span }
    let problem = TimeSpan.problem(
      with: text, form: "\(TimeSpan.form), above 0", max: StepLimits.maxTime)
    throw Failure(.usage, "--\(name): \"\(text)\" \(problem).")
  }
}
