import Basics

/// Tracks where the members of unfinished objects begin, and sorts them when their object ends.
///
/// A stack: all open objects share one table, and the members of the innermost are on top.
struct MemberTable {
  private struct Member {
    /// The key with its quotes, in the output.
    var key: Range<Int>
    /// Where the member came from, for errors.
    var origin: Int
    /// Where the member ends. Set when its object ends.
    var end = 0
  }

  struct Object {
    fileprivate var start: Int
    fileprivate var firstMember: Int
  }

  struct Duplicate {
    /// The key as JSON.
    var key: String
    var origin: Int
  }

  /// Only the first `count` are in use, because assigning is faster than appending and removing.
  private var members: [Member] = []
  private var count = 0

  /// Whether no object so far had very many members.
  var isSmall: Bool { members.count <= 256 }

  /// Begins an object whose brace will be written at `start`.
  func beginObject(at start: Int) -> Object {
    Object(start: start, firstMember: count)
  }

  mutating func add(key: Range<Int>, origin: Int) {
    let member = Member(key: key, origin: origin)
    if members.isEmpty { members = Array(repeating: member, count: 8) }
    if count < members.count { members[count] = member } else { members.append(member) }
    count += 1
  }

  /// Removes the members that begin at or after `end`, where the output was cut off.
  mutating func discard(from end: Int) {
    while count > 0, members[count - 1].key.lowerBound >= end { count -= 1 }
  }

  /// Sorts the members of an object whose closing brace is the last byte of `output`.
  ///
  /// Returns the first key that appears a second time, if there is one.
  mutating func endObject(_ object: Object, in output: inout [UInt8]) -> Duplicate? {
    let first = object.firstMember
    guard !isSorted(from: first, output) else {
      count = first
      return nil
    }
    var end = output.count - 1
    for index in stride(from: count - 1, through: first, by: -1) {
      members[index].end = end
      end = members[index].key.lowerBound - 1
    }
    let sorted = first..<count
    let mayRepeat = sorted.count <= 16 ? sortFew(sorted, output) : sortMany(sorted, output)
    count = first
    if mayRepeat, let duplicate = firstDuplicate(in: sorted, output) { return duplicate }
    rearrange(sorted, from: object.start + 1, in: &output)
    return nil
  }

  /// Rewrites the members from `start` on in sorted order, with commas between them.
  private func rearrange(
    _ sorted: Range<Int>, from start: Int, in output: inout [UInt8]
  ) {
    let length = output.count - 1 - start
    unsafe output.withUnsafeMutableBytes { output in
      let region = unsafe UnsafeMutableRawBufferPointer(
        rebasing: output[start..<(start + length)])
      unsafe withUnsafeTemporaryAllocation(byteCount: length, alignment: 1) { copy in
        unsafe copy.copyMemory(from: UnsafeRawBufferPointer(region))
        var end = 0
        for index in sorted {
          let member = members[index]
          if end > 0 {
            unsafe region[end] = 0x2C
            end += 1
          }
          let range = (member.key.lowerBound - start)..<(member.end - start)
          unsafe UnsafeMutableRawBufferPointer(rebasing: region[end..<(end + range.count)])
            .copyMemory(from: UnsafeRawBufferPointer(rebasing: copy[range]))
          end += range.count
        }
      }
    }
  }

  /// Sorts by insertion, which needs no closure over the output. Returns true if two keys are
  /// equal.
  private mutating func sortFew(_ range: Range<Int>, _ output: [UInt8]) -> Bool {
    var hasEqual = false
    let bytes = output.span
    var members = members.mutableSpan
    for index in range.dropFirst() {
      let member = members[index]
      var place = index
      while place > range.lowerBound {
        let order = Self.compare(members[place - 1], member, in: bytes)
        if order == 0 { hasEqual = true }
        if order <= 0 { break }
        members[place] = members[place - 1]
        place -= 1
      }
      members[place] = member
    }
    return hasEqual
  }

  /// Sorts any number of members. Returns true because some keys may be equal.
  private mutating func sortMany(_ range: Range<Int>, _ output: [UInt8]) -> Bool {
    members[range].sort { one, other in
      let order = Self.compare(one, other, in: output.span)
      return order == 0 ? one.origin < other.origin : order < 0
    }
    return true
  }

  private func isSorted(from first: Int, _ output: [UInt8]) -> Bool {
    let (bytes, members) = (output.span, members.span)
    var index = first + 1
    while index < count {
      if Self.compare(members[index - 1], members[index], in: bytes) >= 0 { return false }
      index += 1
    }
    return true
  }

  private func firstDuplicate(in sorted: Range<Int>, _ output: [UInt8]) -> Duplicate? {
    let (bytes, members) = (output.span, members.span)
    var found: Member?
    for index in sorted.dropFirst()
    where Self.compare(members[index - 1], members[index], in: bytes) == 0 {
      let member = members[index]
      if found.map({ member.origin < $0.origin }) ?? true { found = member }
    }
    guard let found else { return nil }
    return Duplicate(key: String(repairing: bytes.extracting(found.key)), origin: found.origin)
  }

  /// Compares the keys' content; canonical keys are equal only if their bytes are.
  @inline(__always)
  private static func compare(_ one: Member, _ other: Member, in bytes: Span<UInt8>) -> Int {
    KeyOrder.compare(
      bytes.extracting((one.key.lowerBound + 1)..<(one.key.upperBound - 1)),
      bytes.extracting((other.key.lowerBound + 1)..<(other.key.upperBound - 1)),
      isEscaped: true)
  }
}
