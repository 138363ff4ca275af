import BenchmarkBaselines
import Foundation

/// A Swift view model's round trip: an input decoded, a state set, its value encoded. It is driven
/// through its library's table, as a host does it.
enum KitBenchmark {
  private static let count = 20_000
  private static let target = 1e-6

  /// What the plugin's own type is, for Foundation.
  private struct Object: Codable {
    var id: Int
    var isNew: Bool
    var note: String?
    var title: String
  }

  private static let object =
    #"{"id":49026,"isNew":true,"note":"seen","title":"The Dark Knight Rises"}"#

  static func rows(_ setting: Setting) throws -> [Row] {
    [
      try row(
        "a string through a view model in Swift", setting, viewModel: "benchmark.text",
        input: "setText", json: "\"The Dark Knight\"", as: String.self),
      try row(
        "an object of 4 members through a view model in Swift", setting,
        viewModel: "benchmark.object", input: "setRow", json: object, as: Object.self),
      try row(
        "the same, read and written by its own type", setting, viewModel: "benchmark.direct",
        input: "setRow", json: object, as: Object.self, maxRatio: 0.2),
      try listRow(
        "a list of 10,000 such objects", setting, viewModel: "benchmark.object"),
      try listRow(
        "the same, read and written by its own type", setting, viewModel: "benchmark.direct"),
    ]
  }

  private static func row<Value: Codable>(
    _ what: String, _ setting: Setting, viewModel: String, input: String, json: String,
    as type: Value.Type, maxRatio: Double? = nil
  ) throws -> Row {
    let table = unsafe try setting.table("libbenchmark.so")
    guard let instance = unsafe bench_open(table, viewModel) else {
      throw BenchmarkError("\(viewModel) refused to open")
    }
    defer { unsafe bench_destroy(table, instance) }
    let data = Data(json.utf8)
    let decoder = JSONDecoder()
    let encoder = JSONEncoder()
    let comparison = try Comparison(
      rounds: 15,
      [
        {
          try timed {
            let events = unsafe bench_calls(table, instance, input, json, Int64(count))
            try expect(events, Int64(count))
          }
        },
        {
          try timed {
            var bytes = 0
            for _ in 0..<count {
              bytes += try encoder.encode(decoder.decode(type, from: data)).count
            }
            try expect(Int64(bytes), Int64(count * data.count))
          }
        },
      ])
    let time = comparison.processor(0) / Double(count)
    let ratio = comparison.ratio(0, to: 1)
    return Row(
      what: what, measured: Figure.time(time),
      baseline: "Foundation's coder alone: \(Figure.time(comparison.processor(1) / Double(count)))",
      ratio: Figure.times(ratio),
      target: maxRatio.map { "under 1 µs, at most \($0)x" } ?? "under 1 µs",
      isMet: time < target && maxRatio.map { ratio <= $0 } ?? true)
  }

  /// Ten times the rows of a list.
  private static func listRow(
    _ what: String, _ setting: Setting, viewModel: String
  ) throws -> Row {
    let table = unsafe try setting.table("libbenchmark.so")
    guard let instance = unsafe bench_open(table, viewModel) else {
      throw BenchmarkError("\(viewModel) refused to open")
    }
    defer { unsafe bench_destroy(table, instance) }
    let lists = [10_000, 1_000].map { count in
      "[\(Array(repeating: object, count: count).joined(separator: ","))]"
    }
    let comparison = try Comparison(
      rounds: 15,
      lists.map { list in
        {
          try timed {
            let events = unsafe bench_calls(table, instance, "setRows", list, 10)
            try expect(events, 10)
          }
        }
      })
    let ratio = comparison.ratio(0, to: 1)
    return Row(
      what: what, measured: Figure.time(comparison.processor(0) / 10),
      baseline: "1,000: \(Figure.time(comparison.processor(1) / 10))",
      ratio: Figure.times(ratio), target: "at most 11x", isMet: ratio <= 11)
  }
}
