/// A file of `/proc`: lines, each of which is a name, and then values.
///
/// This searches bytes, because every start of a plugin waits for it and needs few of the lines.
struct ProcFile {
  private let bytes: [UInt8]

  init(_ path: String) throws(ConfinementError) {
    do throws(SystemError) { bytes = try Files.read(path) } catch {
      throw .unreadable(path, error)
    }
  }

  /// The unresolved target of a link in `/proc`.
  static func target(ofLink path: String) throws(ConfinementError) -> String {
    do throws(SystemError) { return try Files.target(ofLink: path) } catch {
      throw .unreadable(path, error)
    }
  }

  /// The values behind a name, without the space around them; none if no line begins with it.
  func values(_ name: String) -> [String] {
    var start = 0
    while start < bytes.count {
      let end = bytes.span.firstIndex(of: UInt8(ascii: "\n"), from: start) ?? bytes.count
      if bytes[start..<end].starts(with: name.utf8) {
        return bytes[start..<end].dropFirst(name.utf8.count).split { $0 == 0x09 || $0 == 0x20 }
          .map { String(decoding: $0, as: UTF8.self) }
      }
      start = end + 1
    }
    return []
  }

  /// The first value behind a name; empty if there is none.
  func first(_ name: String) -> String { values(name).first ?? "" }
}
