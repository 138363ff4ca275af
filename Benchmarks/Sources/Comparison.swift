import BenchmarkBaselines

/// What some subjects cost, measured in turn: A B C A B C …, so that a machine that is busy for a
/// while slows all of them alike.
struct Comparison {
  private var costs: [[bench_cost]]

  /// Measures each subject once unseen, to warm up, and then `rounds` times.
  init(rounds: Int, _ subjects: [() throws -> bench_cost]) throws {
    costs = subjects.map { _ in [] }
    for round in 0...rounds {
      for (index, subject) in subjects.enumerated() {
        let cost = try subject()
        if round > 0 { costs[index].append(cost) }
      }
    }
  }

  /// The median of the processor time of a subject, in seconds.
  func processor(_ subject: Int) -> Double { Self.median(costs[subject].map(\.cpu)) }

  /// The median of the time by the clock, in seconds.
  func wall(_ subject: Int) -> Double { Self.median(costs[subject].map(\.wall)) }

  /// The median of the rounds' ratios of processor time.
  func ratio(_ subject: Int, to baseline: Int) -> Double {
    Self.median(zip(costs[subject], costs[baseline]).map { $0.cpu / max($1.cpu, 1e-9) })
  }

  /// The median of the rounds' ratios of time by the clock.
  func wallRatio(_ subject: Int, to baseline: Int) -> Double {
    Self.median(zip(costs[subject], costs[baseline]).map { $0.wall / max($1.wall, 1e-9) })
  }

  private static func median(_ values: [Double]) -> Double {
    let sorted = values.sorted()
    let middle = sorted.count / 2
    return sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
  }
}

/// What the body costs this process.
func timed(_ body: () throws -> Void) rethrows -> bench_cost {
  let beginning = bench_now()
  try body()
  let end = bench_now()
  return bench_cost(wall: end.wall - beginning.wall, cpu: end.cpu - beginning.cpu)
}
