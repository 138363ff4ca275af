/// Finds instances whose signals feed each other in a circle, which could go on for ever.
///
/// Whether it does is up to the view models. Openings and closings don't count: they need a user
/// between two rounds, or else the budget of a step ends them.
struct FlowCircles {
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
    for (index, feed) in feeds.enumerated() {
      // A circle shows at the last of its feeds in the file.
      guard let way = way(from: feed.to, to: feed.from, among: feeds[..<index]) else { continue }
      let words = (way + [feed]).map(\.words).joined(separator: ", ")
      throw ScriptError(
        "this feeds in a circle, which could go on for ever: \(words). If a view model ends it, add"
          + " \"mayRepeat\": true here.", at: feed.place)
    }
  }

  /// The shortest chain of feeds that leads there, or nil.
  private func way(from start: String, to end: String, among feeds: ArraySlice<Feed>) -> [Feed]? {
    var ways: [(handle: String, feeds: [Feed])] = [(start, [])]
    var seen: Set<String> = [start]
    var next = 0
    while next < ways.count {
      let (handle, way) = ways[next]
      next += 1
      if handle == end { return way }
      for feed in feeds where feed.from == handle && seen.insert(feed.to).inserted {
        ways.append((feed.to, way + [feed]))
      }
    }
    return nil
  }
}
