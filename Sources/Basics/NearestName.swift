/// Finds the name that the user probably meant by a mistyped one.
package enum NearestName {
  /// A longer name gets no suggestion, so that a hostile name costs no time.
  private static let maxNameBytes = 256
  /// The number of names that a message lists.
  private static let maxListed = 20

  /// The candidate nearest to `name`, or nil if none is near.
  ///
  /// A candidate is near if, ignoring case, at most about a third of the letters are inserted,
  /// removed, replaced or swapped with their neighbour, or else if it begins with `name`. Ties go
  /// to the candidate with fewer differences in case, then to the first in alphabetical order, so
  /// the result doesn't depend on the order of the candidates. `name` itself is never suggested.
  package static func of(_ name: String, among candidates: some Sequence<String>) -> String? {
    guard name.utf8.count <= maxNameBytes else { return nil }
    let exact = Array(name.unicodeScalars)
    let folded = Array(name.lowercased().unicodeScalars)
    var best: (distance: Int, exactDistance: Int, name: String)?
    for candidate in candidates where candidate.utf8.count <= maxNameBytes && candidate != name {
      guard let distance = foldedDistance(from: folded, to: candidate) else { continue }
      if let best, best.distance < distance { continue }
      let scalars = Array(candidate.unicodeScalars)
      let exactDistance =
        editDistance(from: exact, to: scalars, limit: exact.count + scalars.count) ?? Int.max
      let found = (distance: distance, exactDistance: exactDistance, name: candidate)
      if let known = best, known <= found { continue }
      best = found
    }
    return best?.name
  }

  /// The end of an error message, ` Did you mean "x"?`, or an empty string if no candidate is near.
  ///
  /// `prefix` stands before the suggestion inside the quotes, as in `"--script"`.
  package static func hint(
    for name: String, among candidates: some Sequence<String>, prefix: String = ""
  ) -> String {
    guard let nearest = of(name, among: candidates) else { return "" }
    return " Did you mean \"\(prefix)\(nearest)\"?"
  }

  /// The end of an error message for a list of names that is short enough to show.
  ///
  /// It is a suggestion, ` There are: "x", "y".` if no candidate is near, or ` It has none.` if
  /// there are no candidates.
  package static func hintOrList(for name: String, among candidates: [String]) -> String {
    guard !candidates.isEmpty else { return " It has none." }
    let hint = hint(for: name, among: candidates)
    guard hint.isEmpty else { return hint }
    let shown = candidates.prefix(maxListed).map { "\"\($0)\"" }.joined(separator: ", ")
    return " There are: \(shown)\(candidates.count > maxListed ? ", …" : "")."
  }

  /// The distance ignoring case, or nil if the candidate isn't near. Candidates that only begin
  /// with the name rank after all others.
  private static func foldedDistance(from name: [Unicode.Scalar], to candidate: String) -> Int? {
    let other = Array(candidate.lowercased().unicodeScalars)
    let limit = (max(name.count, other.count) + 1) / 3
    if let distance = editDistance(from: name, to: other, limit: limit) { return distance }
    return name.count >= 2 && other.starts(with: name) ? maxNameBytes + other.count : nil
  }

  /// The least number of insertions, removals, replacements and swaps of neighbours, or nil if it
  /// exceeds `limit`.
  private static func editDistance(
    from first: [Unicode.Scalar], to second: [Unicode.Scalar], limit: Int
  ) -> Int? {
    guard abs(first.count - second.count) <= limit else { return nil }
    var beforeLast: [Int] = []
    var last = Array(0...second.count)
    for (row, scalar) in first.enumerated() {
      var current = [row + 1]
      for (column, other) in second.enumerated() {
        var cost = min(last[column + 1] + 1, current[column] + 1)
        cost = min(cost, last[column] + (scalar == other ? 0 : 1))
        if row > 0, column > 0, scalar == second[column - 1], first[row - 1] == other {
          cost = min(cost, beforeLast[column - 1] + 1)
        }
        current.append(cost)
      }
      // A swap reaches back two rows, so both must be over the limit before giving up.
      guard min(current.min() ?? 0, last.min() ?? 0) <= limit else { return nil }
      beforeLast = last
      last = current
    }
    return last[second.count] <= limit ? last[second.count] : nil
  }
}
