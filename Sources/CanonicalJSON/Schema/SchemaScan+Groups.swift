import Basics

// Several schemas for one value.
extension SchemaValidator {
  /// Checks a value against the groups of a rule, from `start` on, and moves `offset` past it.
  func groups(
    _ index: Int, _ bytes: Span<UInt8>, from start: Int, at offset: inout Int, depth: Int,
    _ scan: inout SchemaScan
  ) -> Bool {
    scan.level += 1
    defer { scan.level -= 1 }
    guard scan.level <= SchemaScan.maxLevel else {
      return scan.fail(.tooCostly, index, start, start)
    }
    for group in groups[rules[index].groups] {
      let isMet =
        group.kind == .all
        ? all(group, index, bytes, from: start, at: &offset, depth: depth, &scan)
        : choice(group, index, bytes, from: start, at: &offset, depth: depth, &scan)
      guard isMet else { return false }
    }
    return true
  }

  private func all(
    _ group: SchemaGroup, _ index: Int, _ bytes: Span<UInt8>, from start: Int,
    at offset: inout Int, depth: Int, _ scan: inout SchemaScan
  ) -> Bool {
    for branch in branches[group.branches] {
      offset = start
      guard scan.spend(0, index, start), check(branch, bytes, at: &offset, depth: depth, &scan),
        scan.spend(offset - start, index, start)
      else { return false }
    }
    return true
  }

  private func choice(
    _ group: SchemaGroup, _ index: Int, _ bytes: Span<UInt8>, from start: Int,
    at offset: inout Int, depth: Int, _ scan: inout SchemaScan
  ) -> Bool {
    var fitting = 0
    var best: SchemaScan.Failure?
    for branch in branches[group.branches] {
      var end = start
      guard scan.spend(0, index, start) else { return false }
      if check(branch, bytes, at: &end, depth: depth, &scan) {
        fitting += 1
        offset = end
      } else if let failure = scan.failure {
        if failure.reason == .tooCostly { return false }
        best = best?.orBetter(failure) ?? failure
        scan.failure = nil
      } else {
        // It isn't canonical JSON, whatever the other choices say.
        return false
      }
      guard scan.spend(end - start, index, start) else { return false }
      if fitting == 1, group.kind == .any { return true }
    }
    if fitting == 1 { return true }
    if fitting > 1 { return scan.fail(.severalBranches, index, start, start) }
    scan.failure = best
    return false
  }
}

extension SchemaScan.Failure {
  /// The failure to show, of this one and that of another choice: what is meant is most likely the
  /// choice that fits furthest.
  fileprivate func orBetter(_ other: Self) -> Self {
    if other.end != end { return other.end > end ? other : self }
    if other.reason.rank != reason.rank { return other.reason.rank > reason.rank ? other : self }
    guard start == other.start, reason == other.reason else { return self }
    var both = self
    both.alternatives += [other.rule] + other.alternatives
    return both
  }
}

extension SchemaScan {
  /// Notes what didn't fit, and returns false.
  mutating func fail(
    _ reason: Failure.Reason, _ rule: Int, _ start: Int, _ end: Int
  ) -> Bool {
    if failure == nil { failure = Failure(reason: reason, rule: rule, start: start, end: end) }
    return false
  }

  /// Counts bytes that were scanned for one of several schemas. Returns false at the limit.
  mutating func spend(_ bytes: Int, _ rule: Int, _ start: Int) -> Bool {
    work += bytes + 1
    return work <= workLimit || fail(.tooCostly, rule, start, start)
  }
}
