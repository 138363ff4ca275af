import Basics
import HostCore

/// Divides transcripts into shards. The plan is the same on every machine with the same paths and
/// timings.
///
/// No shard is left empty while another has two.
enum ShardPlan {
  /// The paths that `shard` runs, sorted.
  static func paths(
    _ paths: [String], in shard: Shard, timings: Timings = Timings()
  ) -> [String] {
    split(paths, into: shard.count, timings: timings)[shard.index - 1]
  }

  /// The paths of all shards, each sorted.
  ///
  /// If the time of at least one path is known, the shards take about equally long. Otherwise they
  /// have about equally many paths.
  static func split(
    _ paths: [String], into count: Int, timings: Timings = Timings()
  ) -> [[String]] {
    let known = paths.compactMap { timings[$0] }.sorted()
    let shards =
      known.isEmpty
      ? splitByHash(paths, into: count)
      : splitByTime(paths, into: count) { timings[$0] ?? known[known.count / 2] }
    return shards.map { $0.sorted { PathKey($0) < PathKey($1) } }
  }

  /// A hash of a set of paths. It shows whether shards were planned for different paths.
  static func selection(of paths: [String]) -> String {
    let all = paths.sorted { PathKey($0) < PathKey($1) }.joined(separator: "\n")
    let digits = String(hash(all), radix: 16)
    return String(repeating: "0", count: 16 - digits.utf8.count) + digits
  }

  /// Divides the paths, in the order of their hashes, into ranges of equal length. An added path
  /// moves each boundary by at most one, so at most one path per boundary changes its shard.
  private static func splitByHash(_ paths: [String], into count: Int) -> [[String]] {
    let ordered = paths.map { (hash: hash($0), key: PathKey($0)) }
      .sorted { ($0.hash, $0.key) < ($1.hash, $1.key) }
    return (0..<count).map { index in
      let start = ordered.count * index / count
      let end = ordered.count * (index + 1) / count
      return ordered[start..<end].map(\.key.path)
    }
  }

  /// Assigns each path, the longest first, to the shard with the least to do.
  private static func splitByTime(
    _ paths: [String], into count: Int, _ time: (String) -> Nanoseconds
  ) -> [[String]] {
    let ordered = paths.map { (time: time($0), key: PathKey($0)) }
      .sorted { ($1.time, $0.key) < ($0.time, $1.key) }
    var shards = [[String]](repeating: [], count: count)
    var queue = BinaryHeap((0..<count).map { Load(index: $0) })
    for (time, key) in ordered {
      queue.updateFirst { load in
        load.time = load.time.addingSaturated(time)
        load.count += 1
        shards[load.index].append(key.path)
      }
    }
    return shards
  }

  /// FNV-1a, followed by the finaliser of MurmurHash3. The order by FNV-1a alone would keep names
  /// together that differ only in their last letters.
  private static func hash(_ text: String) -> UInt64 {
    var units = FNV1a()
    for byte in text.utf8 { units.combine(byte) }
    var hash = units.value
    hash = (hash ^ hash >> 33) &* 0xff51_afd7_ed55_8ccd
    hash = (hash ^ hash >> 33) &* 0xc4ce_b9fe_1a85_ec53
    return hash ^ hash >> 33
  }
}

/// The load of a shard.
private struct Load: Comparable {
  var time: Nanoseconds = 0
  /// The number of paths. It decides between shards with the same time; otherwise all paths that
  /// take no time would go to one shard.
  var count = 0
  let index: Int

  static func < (one: Load, other: Load) -> Bool {
    (one.time, one.count, one.index) < (other.time, other.count, other.index)
  }
}
