import HostCore
import Testing

/// Lines out of more bytes than anybody writes.
struct LineReaderSizeTests {
  @Test func `lines in their thousands are numbered`() throws {
    var feed = LineReader()
    let bytes = Array(String(repeating: "> say \"batman\"\n", count: 5000).utf8)
    var count = 0
    for start in stride(from: 0, to: bytes.count, by: 997) {
      feed.fill { $0 += bytes[start..<min(start + 997, bytes.count)] }
      while try feed.next(atEnd: false) != nil { count += 1 }
    }
    #expect(count == 5000)
    #expect(feed.number == 5000)
    #expect(feed.storage.count < 4000)
  }

  private static let size = 100_000_000

  @Test func `100 MB of lines take the memory of one piece`() throws {
    var feed = LineReader()
    // Lines of all sizes, which no piece ends with.
    let line = Array("> say \"\(String(repeating: "größe", count: 5000))\"\n".utf8)
    let piece = (0..<20).flatMap { _ in line } + line.prefix(1000)
    var (given, most, count) = (0, 0, 0)
    while given < Self.size {
      let rest = given == 0 ? piece[...] : line.dropFirst(1000) + piece
      feed.fill { $0 += rest }
      given += rest.count
      while try feed.next(atEnd: false) != nil { count += 1 }
      most = max(most, feed.storage.capacity)
    }
    #expect(count == (given - 1000) / line.count)
    #expect(most < 4 * piece.count)
  }

  @Test func `a line of 100 MB is a line`() throws {
    var feed = LineReader()
    let part = [UInt8](repeating: UInt8(ascii: "a"), count: 1_000_000)
    feed.fill { $0 += Array("> say \"".utf8) }
    for _ in 0..<Self.size / part.count {
      #expect(try feed.next(atEnd: false) == nil)
      feed.fill { $0 += part }
    }
    feed.fill { $0 += Array("\"\n> b\n".utf8) }
    guard case .input(let input) = try feed.next(atEnd: false) else {
      Issue.record("not an input")
      return
    }
    #expect(input.value.count == Self.size + 2)
    #expect(try feed.next(atEnd: false) != nil)
    #expect(feed.number == 2)
  }

  @Test func `a line that is too long is refused once, and the next one is read`() throws {
    var feed = LineReader()
    let part = [UInt8](repeating: UInt8(ascii: "a"), count: 1 << 20)
    feed.fill { $0 += Array("> first\n> say \"".utf8) }
    #expect(try feed.next(atEnd: false) != nil)
    var errors: [String] = []
    // Twice what a line may have, of which the second half belongs to the same line.
    for _ in 0..<512 {
      feed.fill { $0 += part }
      do throws(ScriptError) {
        #expect(try feed.next(atEnd: false) == nil)
      } catch { errors.append("\(feed.number): \(error.message)") }
    }
    #expect(errors == ["2: this line is longer than 268435456 bytes."])
    let (isWithinLine, kept) = (feed.isWithinLine, feed.storage.count)
    #expect(isWithinLine)
    #expect(kept <= 2 * part.count)
    feed.fill { $0 += Array("\"\n> last\n".utf8) }
    #expect(try feed.next(atEnd: true) != nil)
    #expect(feed.number == 3)
    #expect(try feed.next(atEnd: true) == nil)
  }

  @Test func `a value of 100 MB may go over lines`() throws {
    var feed = LineReader()
    let part = Array("  \"\(String(repeating: "a", count: 1_000_000))\",\n".utf8)
    feed.fill { $0 += Array("< said [\n".utf8) }
    for _ in 0..<Self.size / part.count {
      #expect(try feed.next(atEnd: false) == nil)
      feed.fill { $0 += part }
    }
    feed.fill { $0 += Array("  1]\n".utf8) }
    guard case .expectation(let expected) = try feed.next(atEnd: false) else {
      Issue.record("not an expectation")
      return
    }
    #expect(expected.value.count > Self.size - part.count)
    #expect(feed.lastNumber == Self.size / part.count + 2)
  }
}
