import BenchmarkBaselines
import HostCore

/// What this process holds of the machine.
struct Inventory: CustomStringConvertible {
  let description: String

  init() throws {
    // Reading takes memory of its own, so memory goes first.
    let allocated = bench_allocated()
    let resident = try Self.residentPages() * 4
    // The folder that is read is open too.
    let descriptors = try Files.names(in: "/proc/self/fd").count - 1
    let threads = try Files.names(in: "/proc/self/task").count
    let mappings = try Files.read("/proc/self/maps").count { $0 == UInt8(ascii: "\n") }
    let files = try Files.names(in: ".").count
    let children = try Self.children().count
    description =
      "descriptors \(descriptors) threads \(threads) children \(children) files \(files)"
      + " mappings \(mappings) allocated \(allocated) resident \(resident)"
  }

  private static func residentPages() throws -> Int {
    let fields = try text("/proc/self/statm").split(separator: " ")
    return fields.count > 1 ? Int(fields[1]) ?? 0 : 0
  }

  /// The processes that this one started and hasn't reaped, zombies among them.
  static func children() throws -> [Int32] {
    let tasks = try Files.names(in: "/proc/self/task")
    return try tasks.flatMap { task in
      try text("/proc/self/task/\(task)/children").split(separator: " ").compactMap { Int32($0) }
    }
  }

  private static func text(_ path: String) throws -> String {
    String(decoding: try Files.read(path), as: UTF8.self)
  }
}
