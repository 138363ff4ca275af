import HostCore

/// What is worth knowing of plugins and fails no test, in one line for each view model or input.
enum PluginNotes {
  static func lines(_ results: [TestResult]) -> [String] { leaks(results) + slowSteps(results) }

  private static func leaks(_ results: [TestResult]) -> [String] {
    let byID = Dictionary(grouping: results.flatMap(\.leaks), by: \.viewModel)
    return byID.values.map { leaks in
      // Each result has a view model once.
      var all = leaks[0]
      all.count = leaks.reduce(0) { $0 + $1.count }
      return "\(all.text), in \(Count.of(leaks.count, "transcript")): a retain cycle?"
    }.sorted()
  }

  private static func slowSteps(_ results: [TestResult]) -> [String] {
    let steps = results.flatMap(\.slowSteps).sorted { $1.time < $0.time }
    var known: Set<String> = []
    return steps.filter { known.insert("\($0.viewModel) \($0.event)").inserted }.map(\.message)
  }
}
