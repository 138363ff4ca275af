import Glibc
import HostCore

/// One thing that a hostile fixture does, and what a user sees of it.
struct HostileAct: Sendable, CustomStringConvertible {
  let name: String
  var target = HostileTargets.Kind.nothing
  /// In a constructor, with all layers on.
  var loading: HostileOutcome
  /// In all later phases, with all layers on.
  var running: HostileOutcome
  /// Where nothing keeps it from succeeding.
  var free: HostileOutcome
  /// What one layer says where another one, that would say it first, is off.
  var otherwise: [HostileOutcome] = []
  /// What is printed beside the act's own line.
  var printed = Printed.lines([])
  /// Nothing else is printed where it succeeds.
  var isQuietInSuccess = false
  /// Whether it succeeds where nothing keeps it from that is not up to vmhost but to who runs it,
  /// or to the system: only one process can trace another, say.
  var isUncertain = false
  /// It makes no sense before there are instances.
  var isOfInstances = false

  enum Printed: Sendable {
    case lines([String])
    /// More lines than are shown.
    case flood
    /// Lines of this byte and no other, of whatever length.
    case bytes(Character)
  }

  var description: String { name }

  var isHanging: Bool { [loading, running, free].contains(.hangs) }

  func expected(in phase: HostilePhase) -> HostileOutcome { phase == .load ? loading : running }

  /// All that may come of it where layers are missing.
  var possible: [HostileOutcome] { [loading, running, free] + otherwise }

  /// What may come of it where all are.
  var unconfined: [HostileOutcome] { isUncertain ? possible : [free] }

  // MARK: Rows

  /// It has the same outcome whatever the confinement.
  static func always(
    _ name: String, _ outcome: HostileOutcome, target: HostileTargets.Kind = .nothing,
    printed: Printed = .lines([])
  ) -> Self {
    Self(
      name: name, target: target, loading: outcome, running: outcome, free: outcome,
      printed: printed)
  }

  /// Confinement keeps it from succeeding.
  static func kept(
    _ name: String, _ target: HostileTargets.Kind = .nothing, loading: HostileOutcome,
    running: HostileOutcome, free: HostileOutcome = .done, or otherwise: [HostileOutcome] = []
  ) -> Self {
    Self(
      name: name, target: target, loading: loading, running: running, free: free,
      otherwise: otherwise)
  }

  /// Where it is kept from it, this is printed.
  func saying(_ line: String) -> Self {
    var copy = self
    copy.printed = .lines([line])
    copy.isQuietInSuccess = true
    return copy
  }

  var uncertain: Self {
    var copy = self
    copy.isUncertain = true
    return copy
  }

  // MARK: Runs

  /// What one act comes to in one phase.
  struct Case: Sendable {
    let act: HostileAct
    let phase: HostilePhase

    static func all(_ acts: [HostileAct], _ phases: [HostilePhase]) -> [Case] {
      acts.flatMap { act in
        phases.filter { $0.isOfInstance || !act.isOfInstances }
          .map { Case(act: act, phase: $0) }
      }
    }
  }

  /// Runs cases, each in a worker of its own.
  ///
  /// - Parameter run: how; whether they hang is up to the act.
  /// - Returns: what was wrong, in words.
  static func problems(
    of cases: [Case], _ run: HostileRun, _ targets: HostileTargets,
    expecting outcomes: @escaping @Sendable (Case) -> [HostileOutcome]
  ) throws -> [String] {
    try inLanes(cases) { item in
      var run = run
      run.isHanging = item.act.isHanging
      let act = try targets.aim(item.act.name, at: item.act.target)
      let result = try run(act, in: item.phase)
      return item.act.problems(result, in: item.phase, of: run, expecting: outcomes(item))
    }
  }

  /// What is wrong with a result, in words; nothing if it is one of `outcomes`.
  private func problems(
    _ result: HostileRun.Result, in phase: HostilePhase, of run: HostileRun,
    expecting outcomes: [HostileOutcome]
  ) -> [String] {
    let isExpected = outcomes.contains { outcome in fits(result, outcome, in: phase, of: run) }
    var problems: [String] = []
    if !isExpected {
      problems.append(
        "\(phase) \(name): expected \(outcomes), found \(result.error ?? "no error"), printed"
          + " \(result.printed.prefix(5)), events \(result.events)")
    }
    guard let process = result.process else { return problems + ["\(phase) \(name): no process"] }
    // Gone, not a zombie: a zombie would still have its entry.
    if (try? Files.read("/proc/\(process)/stat")) != nil {
      problems.append("\(phase) \(name): its worker \(process) is still there")
    }
    return problems
  }

  private func fits(
    _ result: HostileRun.Result, _ outcome: HostileOutcome, in phase: HostilePhase,
    of run: HostileRun
  ) -> Bool {
    let all = ["< count 0", "< count 1"]
    switch outcome {
    case .says(let words):
      return result.error == nil && result.events == all && hasPrinted("\(name): \(words)", result)
    case .silent:
      return result.error == nil && result.events == all && hasPrinted(nil, result)
    case .ends(let words):
      // What the step emitted before the end may be there too.
      return result.error == phase.error(of: run.name, words)
        && result.events.starts(with: phase.eventsBefore) && hasPrinted(nil, result)
    case .hangs:
      return result.error == phase.error(of: run.name, HostileRun.shortWords)
        && result.events.starts(with: phase.eventsBefore) && hasPrinted(nil, result)
    case .fails(let error):
      return result.error == error
    }
  }

  private func hasPrinted(_ own: String?, _ result: HostileRun.Result) -> Bool {
    switch printed {
    case .lines(let all):
      let lines = isQuietInSuccess && own == "\(name): done" ? [] : all
      // One that ends may have come so far as to say what it did, and its worker that it can't go
      // on.
      let found = result.printed.filter { line in
        // What the worker says of refused calls matters only to acts that are about that.
        guard !line.hasPrefix("vmhost: it ") || !lines.isEmpty else { return false }
        return own != nil || lines.contains(line)
          || !line.hasPrefix("\(name): ") && !line.hasPrefix("worker: ")
      }
      return found.sorted() == (lines + [own].compactMap { $0 }).sorted()
    case .flood:
      return result.printed.count == 10_000 && result.printed.last == "(more lines are not shown)"
    case .bytes(let byte):
      let rest = result.printed.filter { $0 != own }
      return rest.count > 1 && rest.allSatisfy { $0.allSatisfy { $0 == byte } }
        && rest.count == result.printed.count - (own == nil ? 0 : 1)
    }
  }
}
