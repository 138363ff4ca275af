/// Finds for each request of a history the equal one of a session in which it is played again, in
/// the order of asking.
///
/// An answer goes only to the same question: a request with another value has none in the history.
struct RequestPairing {
  typealias Key = SessionHistory.RequestKey

  /// What a request asks for.
  struct Content: Hashable {
    let handle: String
    let effect: String
    let value: [UInt8]
  }

  /// The requests of the history that have no pair yet.
  private var asked: [Content: [Key]] = [:]
  /// The requests of the new session that have no pair yet.
  private var made: [Content: [Key]] = [:]
  /// The requests of the new session, by those of the history.
  private(set) var new: [Key: Key] = [:]
  /// The requests of the history, by those of the new session.
  private(set) var old: [Key: Key] = [:]
  /// The requests of the history that got a pair since this was last emptied.
  var news: [Key] = []
  /// All requests of the new session, in the order of asking.
  private(set) var all: [Key] = []

  /// Takes note of a request of the history.
  mutating func ask(_ key: Key, _ content: Content) {
    if let other = Self.takeFirst(content, from: &made) {
      pair(key, other)
    } else {
      asked[content, default: []].append(key)
    }
  }

  /// Takes note of a request of the new session.
  mutating func make(_ key: Key, _ content: Content) {
    all.append(key)
    if let other = Self.takeFirst(content, from: &asked) {
      pair(other, key)
    } else {
      made[content, default: []].append(key)
    }
  }

  private mutating func pair(_ asked: Key, _ made: Key) {
    new[asked] = made
    news.append(asked)
    old[made] = asked
  }

  private static func takeFirst(_ content: Content, from keys: inout [Content: [Key]]) -> Key? {
    guard var waiting = keys[content] else { return nil }
    let first = waiting.removeFirst()
    keys[content] = waiting.isEmpty ? nil : waiting
    return first
  }
}
