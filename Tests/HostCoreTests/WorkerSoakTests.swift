import TestSupport
import Testing

struct WorkerSoakTests {
  /// More take longer than a test should: `worker-soak 10000 WORKER PLUGINS` takes a minute.
  private static let count = 2000

  @Test func `holds no more after two thousand workers than before`() async throws {
    try await TemporaryDirectory.with { folder in
      let output = try await ChildProcess.run(
        try BuildProducts.executable("worker-soak"),
        ["\(Self.count)", try BuildProducts.executable("vmhost"), try BuildProducts.directory],
        environment: ["TMPDIR": folder.path], workingDirectory: folder.path,
        within: .seconds(600))
      try #require(output.status == .success, "\(output.stdout)\(output.stderr)")
      let inventories = try output.lines.map(Self.parse)
      try #require(inventories.count == 11)
      for name in ["descriptors", "threads", "children", "files", "mappings"] {
        #expect(Set(inventories.map { $0[name] }).count == 1, "\(name): \(output.stdout)")
      }
      #expect(inventories[0]["children"] == 0)
      // The file that isn't a library is its own.
      #expect(inventories[0]["files"] == 1)
      // In bytes: less for each worker than the smallest piece that can be lost.
      let allocated = inventories.compactMap { $0["allocated"] }
      #expect(allocated[10] - allocated[0] < 16 * Self.count, "\(output.stdout)")
      // In KiB.
      let resident = inventories.compactMap { $0["resident"] }
      #expect(resident[10] - resident[0] < 512, "\(output.stdout)")
    }
  }

  /// "NAME NUMBER NAME NUMBER …"
  private static func parse(_ line: String) throws -> [String: Int] {
    let words = line.split(separator: " ")
    try #require(words.count.isMultiple(of: 2))
    var numbers: [String: Int] = [:]
    for index in stride(from: 0, to: words.count, by: 2) {
      let number: Int = try #require(Int(words[index + 1]))
      numbers[String(words[index])] = number
    }
    return numbers
  }
}
