import CanonicalJSON
import HostCore

/// Reads the page, which comes first in standard input.
struct PageInput {
  private static let maxLineBytes = 1 << 10
  private static let readBytes = 64 << 10

  let page: [UInt8]
  /// What was read after the page: the first lines of the session.
  let rest: [UInt8]

  init() throws(ServerError) {
    var bytes: [UInt8] = []
    var end: Int?
    while end == nil, bytes.count <= Self.maxLineBytes, try Self.read(&bytes) {
      end = bytes.span.firstIndex(of: 0x0A, from: 0)
    }
    guard let end, end <= Self.maxLineBytes, let count = Self.count(Array(bytes[..<end])) else {
      throw .pageLine
    }
    guard count <= ServerLimits.maxPageBytes else { throw .pageTooLarge(count) }
    let start = end + 1
    while bytes.count < start + count {
      guard try Self.read(&bytes) else { throw .noPage(missing: start + count - bytes.count) }
    }
    page = Array(bytes[start..<start + count])
    rest = Array(bytes[(start + count)...])
  }

  private static func count(_ line: [UInt8]) -> Int? {
    guard let value = try? JSONValue(parsing: line.span), value["kind"] == "page",
      let count = value["bytes"]?.intValue, count >= 0
    else { return nil }
    return count
  }

  /// - Returns: false at the end of standard input.
  private static func read(_ bytes: inout [UInt8]) throws(ServerError) -> Bool {
    do throws(SystemError) {
      let count = try Descriptor.read(Descriptor.standardInput, limit: readBytes, into: &bytes)
      guard count == nil else { return count != 0 }
      var input = [Descriptor.Interest(Descriptor.standardInput)]
      try Descriptor.wait(for: &input, timeout: nil)
      return true
    } catch { throw .system(error) }
  }
}
