import Basics
import CanonicalJSON

extension PluginLock {
  private static let version = 1
  /// More is no lock.
  private static let maxBytes = 1 << 22

  // MARK: Writing

  /// The lock as text: canonical, with a line for each library.
  package var text: String {
    var lines = ["{", "  \"lock\": \(Self.version),", "  \"plugins\": ["]
    let entries = entries.sorted { $0.id < $1.id }
    for (index, entry) in entries.enumerated() {
      let comma = index == entries.count - 1 ? "" : ","
      let members = Self.members([
        ("id", entry.id), ("version", entry.version), ("file", entry.file),
        ("sha256", entry.digest),
      ])
      guard !entry.beside.isEmpty else {
        lines.append("    {\(members)}\(comma)")
        continue
      }
      lines.append("    {\(members), \"beside\": [")
      for (index, library) in entry.beside.enumerated() {
        let comma = index == entry.beside.count - 1 ? "" : ","
        let members = Self.members([("name", library.name), ("sha256", library.digest)])
        lines.append("      {\(members)}\(comma)")
      }
      lines.append("    ]}\(comma)")
    }
    return (lines + ["  ]", "}", ""]).joined(separator: "\n")
  }

  private static func members(_ members: [(String, String)]) -> String {
    members.map { "\"\($0)\": \(JSONValue.string($1).canonicalText)" }.joined(separator: ", ")
  }

  // MARK: Reading

  /// - Throws: `invalid` if the file can't be read or isn't a lock, with the place.
  package init(contentsOf path: String) throws(SessionFailure) {
    func unreadable(_ reason: String) -> SessionFailure {
      SessionFailure(.invalid, "could not read the lock \"\(path)\": \(reason).")
    }
    let bytes: [UInt8]?
    do throws(SystemError) {
      // Opening a pipe would wait for its other end, and a device may never end.
      let isFile = try Files.kind(of: path) == .regular
      bytes = isFile ? try Files.read(path, limit: Self.maxBytes + 1) : nil
    } catch { throw unreadable(error.reason) }
    guard let bytes else { throw unreadable("it is not a file") }
    guard bytes.count <= Self.maxBytes else {
      throw unreadable("it has more than \(Self.maxBytes) bytes")
    }
    do throws(ScriptError) {
      self.init(path: path, entries: try Self.entries(try JSONNode(bytes)))
    } catch {
      throw SessionFailure(
        .invalid, error.report(source: path, number: 1, line: bytes.span))
    }
  }

  private static func entries(_ root: JSONNode) throws(ScriptError) -> [Entry] {
    let lock = try Object(root, "a lock", required: ["lock", "plugins"])
    guard try lock.node("lock").value.intValue == version else {
      throw ScriptError(
        "\"lock\" must be \(version), the version that this vmhost knows.",
        at: try lock.node("lock").range.lowerBound)
    }
    var entries: [Entry] = []
    for node in try lock.elements("plugins") {
      let plugin = try Object(
        node, "a plugin", required: ["id", "version", "file", "sha256"], optional: ["beside"])
      let entry = Entry(
        id: try plugin.text("id"), version: try plugin.text("version"),
        file: try plugin.text("file"), digest: try plugin.digest(),
        beside: try beside(of: plugin))
      if entries.contains(where: { $0.id == entry.id }) {
        throw ScriptError(
          "the plugin \"\(entry.id)\" appears twice.", at: try plugin.node("id").range.lowerBound)
      }
      if let other = entries.first(where: { $0.digest == entry.digest }) {
        throw ScriptError(
          "\"\(other.id)\" has this SHA-256 already.",
          at: try plugin.node("sha256").range.lowerBound)
      }
      entries.append(entry)
    }
    return entries
  }

  private static func beside(of plugin: Object) throws(ScriptError) -> [LibraryHashes.Library] {
    guard plugin.has("beside") else { return [] }
    var libraries: [LibraryHashes.Library] = []
    for node in try plugin.elements("beside") {
      let library = try Object(node, "a library", required: ["name", "sha256"])
      let name = try library.text("name")
      if libraries.contains(where: { PathKey($0.name) == PathKey(name) }) {
        throw ScriptError(
          "the library \"\(name)\" appears twice.", at: try library.node("name").range.lowerBound)
      }
      libraries.append(LibraryHashes.Library(name: name, digest: try library.digest()))
    }
    return libraries.sorted { PathKey($0.name) < PathKey($1.name) }
  }

  /// An object of the file, with just the members that it may have.
  private struct Object {
    private let members: [JSONNode.Member]
    private let offset: Int
    private let what: String

    init(
      _ node: JSONNode, _ what: String, required: [String], optional: [String] = []
    ) throws(ScriptError) {
      members = try node.members(what: what, known: required + optional)
      offset = node.range.lowerBound
      self.what = what
      for name in required { _ = try self.node(name) }
    }

    func has(_ name: String) -> Bool { members.contains { $0.name == name } }

    func node(_ name: String) throws(ScriptError) -> JSONNode {
      guard let member = members.first(where: { $0.name == name }) else {
        throw ScriptError("\(what) needs \"\(name)\".", at: offset)
      }
      return member.value
    }

    func text(_ name: String) throws(ScriptError) -> String {
      let node = try node(name)
      guard case .string(let text) = node.content, !text.isEmpty else {
        throw ScriptError("\"\(name)\" must be a string.", at: node.range.lowerBound)
      }
      return text
    }

    func digest() throws(ScriptError) -> String {
      let text = try text("sha256")
      guard SHA256.isDigest(text) else {
        throw ScriptError(
          "\"sha256\" must be 64 hexadecimal digits in lower case.",
          at: try node("sha256").range.lowerBound)
      }
      return text
    }

    func elements(_ name: String) throws(ScriptError) -> [JSONNode] {
      let node = try node(name)
      guard case .array(let elements) = node.content else {
        throw ScriptError("\"\(name)\" must be an array.", at: node.range.lowerBound)
      }
      return elements
    }
  }
}
