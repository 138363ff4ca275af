import CanonicalJSON

/// The response headers that a recording keeps. The others may be private, such as cookies, or
/// differ each time.
struct RecordedHeaders {
  private static let ordinary: Set<String> = [
    "accept-ranges", "age", "cache-control", "content-language", "content-range", "content-type",
    "etag", "expires", "last-modified", "link", "location", "retry-after", "vary",
  ]
  private static let prefixes = ["ratelimit-", "x-ratelimit-"]

  private let names: Set<String>

  /// - Parameter more: the names of further headers, in upper or lower case.
  init(_ more: [String]) { names = Self.ordinary.union(more.map { $0.lowercased() }) }

  /// Removes all other headers from the value of a reply to `http`, which is canonical JSON.
  func filtered(_ value: [UInt8]) -> [UInt8] {
    guard let reply = try? JSONValue(parsing: value.span), var members = reply.objectValue,
      let headers = members["headers"]?.objectValue
    else { return value }
    let kept = headers.filter { isKept($0.key.lowercased()) }
    guard kept.count < headers.count else { return value }
    members["headers"] = .object(kept)
    var bytes: [UInt8] = []
    JSONValue.object(members).append(to: &bytes)
    return bytes
  }

  private func isKept(_ name: String) -> Bool {
    names.contains(name) || Self.prefixes.contains { name.hasPrefix($0) }
  }
}
