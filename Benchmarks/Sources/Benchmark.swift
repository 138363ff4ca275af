import Foundation
import HostCore

/// Measures vmhost against named baselines in one run and prints a table.
///
/// The figures never decide the exit status: it is 1 only if something could not be measured.
@main enum Benchmark {
  private static let sections: [(String, @Sendable (Setting) throws -> [Row])] = [
    ("calls", CallBenchmark.rows),
    ("kit", KitBenchmark.rows),
    ("start", StartBenchmark.rows),
    ("worker", WorkerBenchmark.rows),
    ("memory", MemoryBenchmark.rows),
    ("pipe", PipeBenchmark.rows),
    ("linearity", LinearityBenchmark.rows),
    ("transcripts", TranscriptBenchmark.rows),
    ("recording", RecordingBenchmark.rows),
    ("history", HistoryBenchmark.rows),
  ]

  static func main() {
    do {
      try run(Set(CommandLine.arguments.dropFirst()))
    } catch {
      note("vmhost-benchmark: \(error)")
      exit(1)
    }
  }

  /// Measures the sections that are named, or all.
  private static func run(_ chosen: Set<String>) throws {
    let known = sections.map(\.0)
    if let unknown = chosen.first(where: { !known.contains($0) }) {
      throw BenchmarkError(
        "there is no section \"\(unknown)\"; there are \(known.joined(separator: ", "))")
    }
    let setting = try Setting()
    defer { setting.remove() }
    var rows: [Row] = []
    for (name, measure) in sections where chosen.isEmpty || chosen.contains(name) {
      note("measuring \(name) …")
      rows += try measure(setting)
    }
    print(Row.table(rows))
  }

  static func note(_ text: String) {
    // Progress that can't be shown is no reason to stop.
    try? Descriptor.write(Descriptor.standardError, Array("\(text)\n".utf8).span)
  }
}

/// Something could not be measured.
struct BenchmarkError: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}
