// The plugin `benchmark`: view models that do as little as a view model can, so that what is
// measured is the kit.
public import ViewModelKit

/// Shows the text that it is given.
final class BenchmarkText: ViewModel {
  static let id = "benchmark.text"

  let setText = Input<String>()
  let text = State("")

  func start(_ context: Context<NoConfig>) {
    setText.on { self.text.value = $0 }
  }
}

struct BenchmarkRow: Codable, Sendable {
  var id: Int
  var isNew: Bool
  var note: String?
  var title: String
}

/// Shows the object or the list that it is given.
final class BenchmarkObject: ViewModel {
  static let id = "benchmark.object"

  let setRow = Input<BenchmarkRow>()
  let setRows = Input<[BenchmarkRow]>()
  let row = State(BenchmarkRow(id: 0, isNew: false, note: nil, title: ""))
  let rows = State<[BenchmarkRow]>([])

  func start(_ context: Context<NoConfig>) {
    setRow.on { self.row.value = $0 }
    setRows.on { self.rows.value = $0 }
  }
}

/// Equal to `BenchmarkRow`, and coded without Codable's containers.
struct BenchmarkDirectRow: Codable, Sendable {
  var id: Int
  var isNew: Bool
  var note: String?
  var title: String
}

extension BenchmarkDirectRow: DirectObject {
  init(members: inout MemberReader) throws {
    id = try members.read("id")
    isNew = try members.read("isNew")
    note = try members.readIfPresent("note")
    title = try members.read("title")
  }

  func write(members: inout MemberWriter) throws {
    try members.write("id", id)
    try members.write("isNew", isNew)
    try members.writeIfPresent("note", note)
    try members.write("title", title)
  }
}

/// Shows the object or the list that it is given.
final class BenchmarkDirect: ViewModel {
  static let id = "benchmark.direct"

  let setRow = Input<BenchmarkDirectRow>()
  let setRows = Input<[BenchmarkDirectRow]>()
  let row = State(BenchmarkDirectRow(id: 0, isNew: false, note: nil, title: ""))
  let rows = State<[BenchmarkDirectRow]>([])

  func start(_ context: Context<NoConfig>) {
    setRow.on { self.row.value = $0 }
    setRows.on { self.rows.value = $0 }
  }
}

/// Waits for many timers at once.
final class BenchmarkTimers: ViewModel {
  static let id = "benchmark.timers"

  /// Starts so many timers, which fire a millisecond apart.
  let begin = Input<Int>()
  let fired = Signal<Int>()

  let timer = Timer()

  func start(_ context: Context<NoConfig>) {
    begin.on { count in
      for index in 1...count {
        Task {
          try await self.timer.sleep(for: .milliseconds(index))
          self.fired.emit(index)
        }
      }
    }
  }
}

let plugin = Plugin(
  id: "benchmark", version: "1.0.0", BenchmarkText.self, BenchmarkObject.self,
  BenchmarkDirect.self, BenchmarkTimers.self)

@c(vm_plugin_entry_v1) public func pluginEntry() -> PluginEntry { plugin.entry }
