/// Finds instances whose signals feed each other in a cycle, which may never end.
///
/// Whether it does is up to the view models. Openings and closings don't count: either a user acts
/// between two rounds, or the budget of a step ends them.
struct FlowCycles {
  struct Feed {
    let from: String
    let to: String
    /// The signal and the input, as in `a.changed → b.set`.
    let description: String
    /// The offset of the input's name in the file.
    let offset: Int
  }

  private var feeds: [Feed] = []

  mutating func add(_ feed: Feed) { feeds.append(feed) }

  /// Throws if there is a cycle, with the feed that closes the first one in the file.
  func check() throws(ScriptError) {
    guard Self.haveCycle(feeds[...]) else { return }
    // A binary search finds the shortest beginning of the file that has a cycle: its last feed
    // closes the cycle. Searching a path back from each feed would take quadratic time.
    var (without, with) = (0, feeds.count)
    while with - without > 1 {
      let middle = (without + with) / 2
      if Self.haveCycle(feeds[..<middle]) { with = middle } else { without = middle }
    }
    let last = feeds[with - 1]
    let cycle = (Self.path(from: last.to, to: last.from, among: feeds[..<without]) + [last])
      .map(\.description).joined(separator: ", ")
    throw ScriptError(
      "this feed completes a loop that may never end: \(cycle). If a view model ends it, add"
        + " \"mayRepeat\": true here.", at: last.offset)
  }

  /// Removes, one after another, the instances that no remaining one feeds. If feeds remain, they
  /// have a cycle.
  private static func haveCycle(_ feeds: ArraySlice<Feed>) -> Bool {
    let targets = Dictionary(grouping: feeds, by: \.from).mapValues { $0.map(\.to) }
    var feeders: [String: Int] = [:]
    for feed in feeds { feeders[feed.to, default: 0] += 1 }
    var unfed = targets.keys.filter { feeders[$0] == nil }
    var remaining = feeds.count
    while let handle = unfed.popLast() {
      for target in targets[handle] ?? [] {
        remaining -= 1
        feeders[target, default: 0] -= 1
        if feeders[target] == 0 { unfed.append(target) }
      }
    }
    return remaining > 0
  }

  /// The shortest path of feeds from `start` to `end`; empty if there is none or if they are equal.
  private static func path(
    from start: String, to end: String, among feeds: ArraySlice<Feed>
  ) -> [Feed] {
    let feedsOf = Dictionary(grouping: feeds, by: \.from)
    var reached = [start]
    var last: [String: Feed] = [:]
    var next = 0
    while next < reached.count, last[end] == nil {
      for feed in feedsOf[reached[next]] ?? [] where feed.to != start && last[feed.to] == nil {
        last[feed.to] = feed
        reached.append(feed.to)
      }
      next += 1
    }
    var path: [Feed] = []
    var handle = end
    while handle != start, let feed = last[handle] {
      path.append(feed)
      handle = feed.from
    }
    return path.reversed()
  }
}
