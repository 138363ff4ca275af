import CanonicalJSON

extension StepDifference {
  /// The maximum length of a value that is compared.
  private static let maxComparedBytes = 16_384
  /// The maximum number of requests that are compared, so that a huge transcript costs little.
  private static let maxCompared = 1_000

  /// The difference to the nearest request of the same effect, as the end of a sentence.
  func nearest(to line: StepLine) -> String {
    let effect = line.parts.name
    guard let members = Self.members(of: line) else { return "" }
    let candidates = (expected + recorded).lazy
      .filter { $0.isRequest && $0.parts.name == effect }
      .prefix(Self.maxCompared)
    var best: (line: StepLine, members: [String: JSONValue], names: [String], shared: Int)?
    for candidate in candidates {
      guard let others = Self.members(of: candidate) else { continue }
      let names = Set(members.keys).union(others.keys)
        .filter { members[$0] != others[$0] }.sorted()
      let shared = VisibleText.sharedPrefix(candidate.value[...], line.value[...])
      if let best, (best.names.count, -best.shared) <= (names.count, -shared) { continue }
      best = (candidate, others, names, shared)
    }
    guard let best else { return "" }
    let name = "\(best.line.parts.number) \(effect) in line \(best.line.line)"
    guard let first = best.names.first else { return ", which is the same as \(name)" }
    let sentence = "; the nearest, \(name), differs in \(Self.list(best.names))"
    guard best.names.count == 1 else { return sentence }
    return sentence + Self.values(best.members[first], members[first])
  }

  private static func list(_ names: [String]) -> String {
    let shown = names.prefix(4).map {
      VisibleText.cut(Array($0.utf8)[...], columns: 40, counts: false)
    }
    guard names.count > shown.count else { return shown.joined(separator: ", ") }
    return shown.joined(separator: ", ")
      + " and \(Count.of(names.count - shown.count, "more member"))"
  }

  /// The members of a request's value. A value that is no object counts as a member "value".
  private static func members(of line: StepLine) -> [String: JSONValue]? {
    guard line.value.count <= maxComparedBytes else { return nil }
    if line.value.isEmpty { return [:] }
    guard let value = try? JSONValue(parsing: line.value.span) else { return nil }
    return value.objectValue ?? ["value": value]
  }

  /// The nearest request's value and the one that was found, around their difference.
  private static func values(_ one: JSONValue?, _ other: JSONValue?) -> String {
    guard let one else { return " (it has none)" }
    guard let other else { return " (this one has none)" }
    let texts = [one, other].map { Array($0.canonicalText.utf8)[...] }
    let pair = VisibleText.pair(texts[0], texts[1], width: 60)
    return ": \(pair.old) instead of \(pair.new)"
  }
}
