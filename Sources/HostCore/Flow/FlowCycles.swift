/// Finds instances whose signals feed each other in a circle, which could go on for ever.
///
/// Whether it does is up to the view models. Openings and closings don't count: they need a user
/// between two rounds, or else the budget of a step ends them.
struct FlowCycles {
  struct Feed {
    let from: String
    let to: String
    /// As in `a.changed → b.set`.
    let words: String
    let place: Int

    init(from: String, to: String, words: String, _ place: Int) {
      self.from = from
      self.to = to
      self.words = words
      self.place = place
    }
  }

  private var feeds: [Feed] = []

  mutating func add(_ feed: Feed) { feeds.append(feed) }

  func check() throws(ScriptError) {
    guard Self.haveCircle(feeds[...]) else { return }
    // A circle shows at the last of its feeds in the file: here at the end of the shortest part of
    // the file that has one. Looking from each feed for a way back would take the square of them.
    var (without, with) = (0, feeds.count)
    while with - without > 1 {
      let middle = (without + with) / 2
      if Self.haveCircle(feeds[..<middle]) { with = middle } else { without = middle }
    }
    let last = feeds[with - 1]
    let words = (Self.way(from: last.to, to: last.from, among: feeds[..<without]) + [last])
      .map(\.words).joined(separator: ", ")
    throw ScriptError(
      "this feeds in a circle, which could go on for ever: \(words). If a view model ends it, add"
        + " \"mayRepeat\": true here.", at: last.place)
  }

  /// Takes away, one after another, the instances that none of the rest feeds: who is in a circle
  /// stays.
  private static func haveCircle(_ feeds: ArraySlice<Feed>) -> Bool {
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

  /// The shortest chain of feeds that leads there; empty if there is none, or nowhere to go.
  private static func way(
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
    var way: [Feed] = []
    var handle = end
    while handle != start, let feed = last[handle] {
      way.append(feed)
      handle = feed.from
    }
    return way.reversed()
  }
}
