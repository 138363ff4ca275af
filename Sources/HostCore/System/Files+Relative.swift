import Basics

// Slashes and colons are found by bytes: an accent at the start of a name would be one character
// with the slash before it.
extension Files {
  private static let slash = UInt8(ascii: "/")

  package static func isAbsolute(_ path: some StringProtocol) -> Bool { path.utf8.first == slash }

  /// The folder of a path, or nil for a bare name. That of a file in the root folder is empty.
  package static func folder(of path: String) -> String? {
    path.utf8.lastIndex(of: slash).map { String(path[..<$0]) }
  }

  /// The part of a path behind its last slash.
  package static func name(of path: String) -> String {
    path.utf8.lastIndex(of: slash).map { String(path[path.utf8.index(after: $0)...]) } ?? path
  }

  /// The names in a path, without its slashes.
  package static func components(of path: String) -> [String] {
    path.utf8.split(separator: slash).map { String(Substring($0)) }
  }

  /// The folders of a list such as the variable `PATH`, empty ones included.
  package static func folders(inList list: String) -> [String] {
    list.byteSplit(separator: ":")
  }

  /// Resolves a path that is relative to `folder`. A nil folder is the current one.
  package static func path(_ path: String, from folder: String?) -> String {
    guard let folder, !isAbsolute(path) else { return path }
    return "\(folder)/\(path)"
  }

  /// The path of `target` relative to the folder of `file`, so that both can move together.
  ///
  /// It is the absolute path if the two have nothing in common but the root.
  package static func path(of target: String, fromFolderOf file: String) -> String {
    let folder = folder(of: file).map { "\($0)/" } ?? "."
    guard let end = try? absolute(target), let start = try? absolute(folder) else { return target }
    let (to, from) = (components(of: end), components(of: start))
    let common = zip(to, from).prefix { $0 == $1 }.count
    guard common > 0 else { return end }
    let up = Array(repeating: "..", count: from.count - common)
    return (up + to.dropFirst(common)).joined(separator: "/")
  }
}
