/// Finds what somebody probably meant.
enum Nearest {
  /// A sentence such as ` Did you mean "didSearch"?`, or a list of all names when none is near.
  static func hint(for name: String, among known: [String]) -> String {
    guard !known.isEmpty else { return " It has none." }
    let scored = known.map { (name: $0, distance: distance(name, $0)) }
    if let best = scored.min(by: { $0.distance < $1.distance }),
      best.distance <= max(1, min(name.count, best.name.count) / 2)
    {
      return " Did you mean \"\(best.name)\"?"
    }
    let shown = known.prefix(20).map { "\"\($0)\"" }.joined(separator: ", ")
    return " There are: \(shown)\(known.count > 20 ? ", …" : "")."
  }

  /// How many insertions, removals and replacements lead from one to the other, whatever the case.
  private static func distance(_ one: String, _ other: String) -> Int {
    // Longer names than this are no typing mistakes, and would take time quadratic in their length.
    let one = Array(one.lowercased().unicodeScalars.prefix(100))
    let other = Array(other.lowercased().unicodeScalars.prefix(100))
    var row = Array(0...other.count)
    for (index, character) in one.enumerated() {
      var diagonal = row[0]
      row[0] = index + 1
      for (column, candidate) in other.enumerated() {
        let replaced = diagonal + (character == candidate ? 0 : 1)
        diagonal = row[column + 1]
        row[column + 1] = min(replaced, row[column] + 1, diagonal + 1)
      }
    }
    return row[other.count]
  }
}
