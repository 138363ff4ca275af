import HostCore
import Testing

@testable import vmhost

struct ShardPlanTests {
  private static let counts = [1, 2, 3, 4, 5, 7, 8, 16, 31, 64]
  private static let sizes = [0, 1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 30, 63, 64, 65, 100, 257]

  private static func paths(_ count: Int) -> [String] {
    (0..<count).map { "Tests/Transcripts/group\($0 % 7)/case-\($0).vmt" }
  }

  /// Times of very different sizes, zeros among them, for two of three paths.
  private static func timings(_ paths: [String]) -> Timings {
    var timings = Timings()
    timings.merge(
      paths.enumerated().filter { $0.offset % 3 != 1 }.map { index, path in
        TestResult(
          path: path, verdict: .passed, duration: Nanoseconds(index * index % 13 * 1_000_000))
      })
    return timings
  }

  @Test(arguments: counts, [false, true])
  func `gives each path to one shard and leaves none empty beside one with two`(
    _ count: Int, isTimed: Bool
  ) {
    for size in Self.sizes {
      let paths = Self.paths(size)
      let timings = isTimed ? Self.timings(paths) : Timings()
      let shards = ShardPlan.split(paths, into: count, timings: timings)
      #expect(shards.count == count)
      #expect(shards.flatMap(\.self).sorted() == paths.sorted(), "\(size) paths")
      let sizes = shards.map(\.count)
      let isFair = !sizes.contains(0) || !sizes.contains { $0 > 1 }
      #expect(isFair, "\(size) paths, \(count) shards: \(sizes)")
    }
  }

  @Test(arguments: counts) func `makes shards of one size without timings`(_ count: Int) {
    for size in Self.sizes {
      let sizes = ShardPlan.split(Self.paths(size), into: count).map(\.count)
      #expect((sizes.max() ?? 0) - (sizes.min() ?? 0) <= 1, "\(size) paths: \(sizes)")
    }
  }

  @Test(arguments: counts, [false, true])
  func `is the same in whatever order the paths come`(_ count: Int, isTimed: Bool) {
    let paths = Self.paths(100)
    let timings = isTimed ? Self.timings(paths) : Timings()
    let shards = ShardPlan.split(paths, into: count, timings: timings)
    #expect(ShardPlan.split(paths.reversed(), into: count, timings: timings) == shards)
    #expect(ShardPlan.split(paths.shuffled(), into: count, timings: timings) == shards)
    for index in 1...count {
      let shard = Shard(index, of: count)
      #expect(shard.map { ShardPlan.paths(paths, in: $0, timings: timings) } == shards[index - 1])
    }
  }

  @Test(arguments: counts)
  func `moves at most one path a cut where one is added`(_ count: Int) {
    for size in Self.sizes {
      let before = Self.owners(ShardPlan.split(Self.paths(size), into: count))
      let after = Self.owners(ShardPlan.split(Self.paths(size) + ["new.vmt"], into: count))
      let moved = before.count { after[$0.key] != $0.value }
      #expect(moved <= count - 1, "\(size) paths: \(moved) moved")
    }
  }

  private static func owners(_ shards: [[String]]) -> [String: Int] {
    let pairs = shards.enumerated().flatMap { index, paths in paths.map { ($0, index) } }
    return Dictionary(uniqueKeysWithValues: pairs)
  }

  /// Known answers, so that a change of the hash shows: it would mix up shards of two versions.
  @Test func `stays as it is from version to version`() {
    #expect(
      ShardPlan.split(["a.vmt", "b.vmt", "c.vmt", "d.vmt", "e.vmt"], into: 2)
        == [["b.vmt", "d.vmt"], ["a.vmt", "c.vmt", "e.vmt"]])
    #expect(ShardPlan.selection(of: ["a.vmt", "b.vmt"]) == "b304e7e8c2179b04")
    #expect(ShardPlan.selection(of: []) == "efd01f60ba992926")
  }

  @Test func `spreads neighbours over the shards`() {
    let names = (0..<100).map { "Tests/a/case\($0).vmt" }
    let others = (0..<100).map { "Tests/b/case\($0).vmt" }
    for shard in ShardPlan.split(names + others, into: 4) {
      let share = shard.count { $0.hasPrefix("Tests/a/") }
      #expect((10...40).contains(share), "\(share) of 50")
    }
  }

  @Test func `gives the longest to the shard with the least to do`() {
    var timings = Timings()
    for (path, seconds) in [("a", 8), ("b", 7), ("c", 6), ("d", 5), ("e", 4)] {
      timings.merge([
        TestResult(path: path, verdict: .passed, duration: Nanoseconds(seconds) * 1_000_000_000)
      ])
    }
    let shards = ShardPlan.split(["e", "d", "c", "b", "a"], into: 2, timings: timings)
    #expect(shards == [["a", "d", "e"], ["b", "c"]])
    // The unknown one counts 6 seconds, as the one in the middle does, and comes after it.
    let more = ShardPlan.split(["e", "d", "c", "b", "a", "x"], into: 2, timings: timings)
    #expect(more == [["a", "e", "x"], ["b", "c", "d"]])
  }

  @Test func `takes times of other paths for nothing`() {
    var timings = Timings()
    timings.merge([TestResult(path: "gone", verdict: .passed, duration: 1)])
    let paths = Self.paths(20)
    #expect(
      ShardPlan.split(paths, into: 3, timings: timings) == ShardPlan.split(paths, into: 3))
  }

  @Test func `keeps apart what differs only in normalisation`() {
    let paths = ["\u{E9}.vmt", "e\u{301}.vmt"]
    let shards = ShardPlan.split(paths, into: 2)
    #expect(shards.map(\.count) == [1, 1])
    #expect(!shards[0][0].utf8.elementsEqual(shards[1][0].utf8))
  }

  @Test(arguments: [
    ("1/1", 1, 1), ("2/4", 2, 4), ("4/4", 4, 4), ("007/010", 7, 10), ("1/100000", 1, 100_000),
  ])
  func `reads a shard`(_ text: String, index: Int, count: Int) {
    #expect(Shard.parse(text) == Shard(index, of: count))
    #expect(Shard.parse(text) != nil)
  }

  @Test(arguments: [
    "", "/", "1", "1/", "/1", "0/4", "5/4", "0/0", "-1/4", "+1/4", "1/4/2", " 1/4", "1/4 ", "1.0/4",
    "a/b", "1/100001", "9223372036854775808/9223372036854775808", "１/４",
  ])
  func `refuses what is no shard`(_ text: String) {
    #expect(Shard.parse(text) == nil)
  }
}
