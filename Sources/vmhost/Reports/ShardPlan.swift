import Basics
import HostCore

/// Which transcripts run in which shard: the same on every machine that has the same paths and
/// timings.
///
/// No shard is left empty while another has two.
enum ShardPlan {
  /// What `shard` runs of `paths`, in the order of the paths.
  static func paths(
    _ paths: [String], in shard: Shard, timings: Timings = Timings()
  ) -> [String] {
    split(paths, into: shard.count, timings: timings)[shard.index - 1]
  }

  /// All shards, each in the order of the paths.
  ///
  /// With a time for at least one of the paths, the shards take about equally long; else they have
  /// equally many.
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

  /// A number for a set of paths, by which shards that were planned on different ones show.
  static func selection(of paths: [String]) -> String {
    let all = paths.sorted { PathKey($0) < PathKey($1) }.joined(separator: "\n")
    let digits = String(hash(all), radix: 16)
    return String(repeating: "0", count: 16 - digits.utf8.count) + digits
  }

  /// Cuts the paths, in the order of their hashes, into runs of equal length. A path that is added
  /// moves each cut by at most one, so that at most one path a cut changes its shard.
  private static func splitByHash(_ paths: [String], into count: Int) -> [[String]] {
    let ordered = paths.map { (hash: hash($0), key: PathKey($0)) }
      .sorted { ($0.hash, $0.key) < ($1.hash, $1.key) }
    return (0..<count).map { index in
      let start = ordered.count * index / count
      let end = ordered.count * (index + 1) / count
      return ordered[start..<end].map(\.key.path)
    }
  }

  /// Gives the longest that is left to the shard that has the least to do.
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

  /// FNV-1a, and the finaliser of MurmurHash3, since the order by FNV-1a alone keeps names that
  /// differ only in their last letters together.
  private static func hash(_ text: String) -> UInt64 {
    var units = FNV1a()
    for byte in text.utf8 { units.combine(byte) }
    var hash = units.value
    hash = (hash ^ hash >> 33) &* 0xff51_afd7_ed55_8ccd
    hash = (hash ^ hash >> 33) &* 0xc4ce_b9fe_1a85_ec53
    return hash ^ hash >> 33
  }
}

/// What a shard has to do.
private struct Load: Comparable {
  var time: Nanoseconds = 0
  /// Of two shards with the same time, that with fewer paths is next: or paths that take no time
  /// would all go to one.
  var count = 0
  let index: Int

  static func < (one: Load, other: Load) -> Bool {
    (one.time, one.count, one.index) < (other.time, other.count, other.index)
  }
}
