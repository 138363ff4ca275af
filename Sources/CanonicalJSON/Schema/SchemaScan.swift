import Basics

/// The state of one check.
struct SchemaScan {
  /// What didn't fit.
  struct Failure {
    enum Reason {
      case type, constant, never, characters, elements, minimum, maximum, missing, unexpected
      case severalBranches, tooCostly

      /// The larger, the more the value is like what was expected.
      var rank: Int {
        switch self {
        case .type, .never: 0
        case .constant: 1
        case .characters, .elements, .minimum, .maximum, .missing, .unexpected, .severalBranches,
          .tooCostly:
          2
        }
      }
    }

    let reason: Reason
    let rule: Int
    /// Where the value begins.
    let start: Int
    /// How far the check came.
    let end: Int
    /// The rules of other choices, which failed at the same value and for the same reason.
    var alternatives: [Int] = []
  }

  /// How many schemas may apply to the values that one value is in.
  static let maxLevel = 512

  /// Whether the bytes are known to be canonical JSON.
  let isCanonical: Bool
  let workLimit: Int
  var work = 0
  /// How many checks of groups are under way.
  var level = 0
  /// The first failure, or the most telling one of several schemas.
  var failure: Failure?
}

/// The check itself. Each function expects its value at `offset` and moves past it, and returns
/// false as soon as something isn't canonical JSON or doesn't fit. Only the latter is a failure.
extension SchemaValidator {
  func check(
    _ index: Int, _ bytes: Span<UInt8>, at offset: inout Int, depth: Int, _ scan: inout SchemaScan
  ) -> Bool {
    if index == SchemaRule.any { return skip(bytes, at: &offset, depth: depth, scan) }
    let rule = rules[index]
    let start = offset
    guard start < bytes.count else { return false }
    if !(rule.hasOnlyGroups && !rule.groups.isEmpty) {
      let types = SchemaTypes(firstByte: bytes[start])
      guard !types.isDisjoint(with: rule.types) else {
        return scan.fail(rule.types == [] ? .never : .type, index, start, start)
      }
      switch types {
      case .object where rule.restrictsObjects:
        guard object(index, rule, bytes, at: &offset, depth: depth + 1, &scan) else { return false }
      case .array where rule.items != SchemaRule.any || rule.limits >= 0:
        guard array(index, bytes, at: &offset, depth: depth + 1, &scan) else { return false }
      default:
        guard skip(bytes, at: &offset, depth: depth, scan) else { return false }
      }
      guard types != .number || number(index, bytes, start..<offset, &scan) else { return false }
      guard types != .string || rule.limits < 0 || string(index, bytes, start..<offset, &scan)
      else { return false }
      if let constants = rule.constants,
        !Self.contains(constants, self.constants, texts, bytes.extracting(start..<offset))
      {
        return scan.fail(.constant, index, start, start)
      }
    }
    if rule.groups.isEmpty { return true }
    return groups(index, bytes, from: start, at: &offset, depth: depth, &scan)
  }

  @inline(__always)
  private func skip(
    _ bytes: Span<UInt8>, at offset: inout Int, depth: Int, _ scan: borrowing SchemaScan
  ) -> Bool {
    if scan.isCanonical {
      JSONScanner.skipCanonicalValue(in: bytes, at: &offset)
      return true
    }
    do throws(JSONError) {
      return try JSONScanner.skipInnerValue(in: bytes, at: &offset, depth: depth)
    } catch { return false }
  }

  /// Checks a value of which only the type matters, if its first byte tells that. Returns nil, and
  /// doesn't move, if the rule must be asked.
  @inline(__always)
  func checkType(
    _ types: SchemaTypes, _ bytes: Span<UInt8>, at offset: inout Int, depth: Int,
    _ scan: borrowing SchemaScan
  ) -> Bool? {
    guard offset < bytes.count else { return nil }
    let found = SchemaTypes(firstByte: bytes[offset])
    guard !types.isDisjoint(with: found), !found.isEmpty else { return nil }
    let start = offset
    if found == .number, scan.isCanonical, !types.contains(.fraction) {
      guard JSONScanner.skipCanonicalInteger(in: bytes, at: &offset) else { return nil }
      return true
    }
    guard skip(bytes, at: &offset, depth: depth, scan) else { return false }
    if found != .number || types.contains(.number) { return true }
    if types.contains(SchemaTypes(number: bytes.extracting(start..<offset))) { return true }
    offset = start
    return nil
  }

  // MARK: Scalars

  private func number(
    _ index: Int, _ bytes: Span<UInt8>, _ range: Range<Int>, _ scan: inout SchemaScan
  ) -> Bool {
    let rule = rules[index]
    let number = bytes.extracting(range)
    if !rule.types.contains(.number), !rule.types.contains(SchemaTypes(number: number)) {
      return scan.fail(.type, index, range.lowerBound, range.lowerBound)
    }
    guard rule.limits >= 0 else { return true }
    if let minimum = limits[rule.limits].minimum,
      NumberOrder.precedes(number, minimum.span)
    {
      return scan.fail(.minimum, index, range.lowerBound, range.lowerBound)
    }
    if let maximum = limits[rule.limits].maximum,
      NumberOrder.precedes(maximum.span, number)
    {
      return scan.fail(.maximum, index, range.lowerBound, range.lowerBound)
    }
    return true
  }

  private func string(
    _ index: Int, _ bytes: Span<UInt8>, _ range: Range<Int>, _ scan: inout SchemaScan
  ) -> Bool {
    let count = Self.characters(of: bytes.extracting(range))
    return limits[rules[index].limits].allows(characters: count)
      || scan.fail(.characters, index, range.lowerBound, range.lowerBound)
  }

  /// The number of Unicode scalars in a canonical string with its quotes.
  static func characters(of string: Span<UInt8>) -> Int {
    var count = 0
    var offset = 1
    while offset < string.count - 1 {
      if string[offset] == 0x5C {
        offset += string[offset + 1] == 0x75 ? 6 : 2
        count += 1
      } else {
        // All bytes of a scalar but the first begin with the bits 10.
        if string[offset] & 0xC0 != 0x80 { count += 1 }
        offset += 1
      }
    }
    return count
  }

  /// Whether a canonical value is one of the constants, which are sorted.
  private static func contains(
    _ range: Range<Int>, _ constants: [Range<Int>], _ texts: [UInt8], _ value: Span<UInt8>
  ) -> Bool {
    var (low, high) = (range.lowerBound, range.upperBound)
    while low < high {
      let middle = (low + high) / 2
      let order = order(texts.span.extracting(constants[middle]), value)
      if order == 0 { return true }
      if order < 0 { low = middle + 1 } else { high = middle }
    }
    return false
  }

  /// Shorter values come first, then those with the smaller first byte that differs.
  static func order(_ first: Span<UInt8>, _ second: Span<UInt8>) -> Int {
    guard first.count == second.count else { return first.count - second.count }
    for index in 0..<first.count where first[index] != second[index] {
      return Int(first[index]) - Int(second[index])
    }
    return 0
  }

  // MARK: Containers

  private func array(
    _ index: Int, _ bytes: Span<UInt8>, at offset: inout Int, depth: Int, _ scan: inout SchemaScan
  ) -> Bool {
    let (start, rule) = (offset, rules[index])
    guard depth <= JSONScanner.maxDepth else { return false }
    let items = rules[rule.items].onlyTypes
    var count = 0
    offset += 1
    if offset < bytes.count, bytes[offset] == 0x5D {
      offset += 1
    } else {
      repeat {
        guard
          checkType(items, bytes, at: &offset, depth: depth, scan)
            ?? check(rule.items, bytes, at: &offset, depth: depth, &scan)
        else { return false }
        count += 1
        guard let hasMore = Self.separator(closing: 0x5D, bytes, at: &offset) else { return false }
        if !hasMore { break }
      } while true
    }
    guard rule.limits >= 0, !limits[rule.limits].allows(elements: count) else { return true }
    return scan.fail(.elements, index, start, offset)
  }

  private func object(
    _ index: Int, _ rule: borrowing SchemaRule, _ bytes: Span<UInt8>, at offset: inout Int,
    depth: Int, _ scan: inout SchemaScan
  ) -> Bool {
    let start = offset
    guard depth <= JSONScanner.maxDepth else { return false }
    // The first listed member that hasn't been passed. Both the members and the keys are in order.
    var next = rule.members.lowerBound
    var required = 0
    var last: (key: Range<Int>, isListed: Bool)?
    offset += 1
    var hasMore = true
    if offset < bytes.count, bytes[offset] == 0x7D {
      offset += 1
      hasMore = false
    }
    while hasMore {
      var child = rule.others
      var types: SchemaTypes = []
      if last?.isListed != false, next < rule.members.upperBound,
        Self.isKey(members[next], texts, bytes, at: offset)
      {
        let member = members[next]
        let end = offset &+ member.key.count
        last = ((offset &+ 1)..<(end &- 2), true)
        offset = end
        child = member.rule
        types = member.onlyTypes
        if member.isRequired { required &+= 1 }
        next &+= 1
      } else {
        guard let key = Self.key(bytes, at: &offset) else { return false }
        if let last, !KeyOrder.precedes(bytes, last.key, key) { return false }
        let found = Self.position(
          of: bytes.extracting(key), in: next..<rule.members.upperBound, of: members, texts)
        last = (key, found != nil)
        if let found {
          child = members[found].rule
          if members[found].isRequired { required += 1 }
          next = found + 1
        } else if child == SchemaRule.none {
          return scan.fail(.unexpected, index, start, key.lowerBound)
        }
      }
      guard
        checkType(types, bytes, at: &offset, depth: depth, scan)
          ?? check(child, bytes, at: &offset, depth: depth, &scan),
        let more = Self.separator(closing: 0x7D, bytes, at: &offset)
      else { return false }
      hasMore = more
    }
    return required == rule.requiredCount || scan.fail(.missing, index, start, offset)
  }

  /// Whether the key of a member, with its colon, is at `offset`.
  ///
  /// It borrows the texts: a local copy of the array would cost a reference count.
  @inline(__always)
  private static func isKey(
    _ member: SchemaMember, _ texts: [UInt8], _ bytes: Span<UInt8>, at offset: Int
  ) -> Bool {
    let end = offset &+ member.key.count
    guard end <= bytes.count else { return false }
    if let word = JSONScanner.word(bytes, at: offset) {
      guard word & member.mask == member.word else { return false }
      if member.key.count <= 8 { return true }
    }
    return bytes.extracting(offset..<end).equals(texts.span.extracting(member.key))
  }

  /// The index of the member with that key, among sorted ones.
  private static func position(
    of key: Span<UInt8>, in range: Range<Int>, of members: [SchemaMember], _ texts: [UInt8]
  ) -> Int? {
    var (low, high) = (range.lowerBound, range.upperBound)
    while low < high {
      let middle = (low + high) / 2
      let order = KeyOrder.compare(
        texts.span.extracting(members[middle].content), key, isEscaped: true)
      if order == 0 { return middle }
      if order < 0 { low = middle + 1 } else { high = middle }
    }
    return nil
  }

  /// Moves past a canonical key and its colon, and returns its content.
  private static func key(_ bytes: Span<UInt8>, at offset: inout Int) -> Range<Int>? {
    let start = offset + 1
    do throws(JSONError) {
      guard try JSONScanner.key(in: bytes, at: &offset) else { return nil }
      let end = offset - 1
      try JSONScanner.colon(in: bytes, at: &offset)
      return start..<end
    } catch { return nil }
  }

  /// Moves past a comma (true) or the closing bracket (false). Nil if there is neither.
  @inline(__always)
  private static func separator(
    closing bracket: UInt8, _ bytes: Span<UInt8>, at offset: inout Int
  ) -> Bool? {
    guard offset < bytes.count else { return nil }
    let byte = bytes[offset]
    guard byte == 0x2C || byte == bracket else { return nil }
    offset &+= 1
    return byte == 0x2C
  }
}
