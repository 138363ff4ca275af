import Basics

/// Names of time zones as IANA gives them, such as `Europe/Vienna`.
package enum TimeZoneName {
  package static let form = "a time zone such as UTC or Europe/Vienna"
  private static let maxBytes = 255
  /// No name of IANA has more parts than `America/Argentina/Salta`.
  private static let maxParts = 3
  /// What machines keep beside the zones: copies of all of them, and the machine's own choice.
  private static let others: Set<String> = ["posix", "right", "localtime", "posixrules"]
  /// Zones that need no data.
  private static let universal: Set<String> = ["UTC", "GMT"]

  /// Whether a text has the form of a name, on a machine with this zone or without.
  package static func hasForm(_ text: String) -> Bool {
    let parts = text.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    return text.utf8.count <= maxBytes && parts.count <= maxParts
      && parts.allSatisfy { part in
        part.first?.isASCIILetter == true
          && part.allSatisfy { $0.isASCIILetter || $0.isASCIIDigit || "-_+".utf8.contains($0) }
      }
  }

  /// The machine's time zones, where the C library looks for them, too.
  package static var folder: String {
    let given = Environment.path("TZDIR") ?? ""
    return given.isEmpty ? "/usr/share/zoneinfo" : given
  }

  /// What is wrong with the name of a time zone on this machine, as a sentence; nil if it has it. A
  /// machine without any time zones takes each name that has the form of one.
  package static func problem(with name: String, folder: String = folder) -> String? {
    if universal.contains(name) { return nil }
    let isName = hasForm(name)
    if isName, isZone(name, in: folder) { return nil }
    let known = zones(in: folder, below: "", parts: 1)
    if isName, !known.contains(where: isPlace) { return nil }
    let shown = name.terminalSafeLine
    let reason =
      isName ? "there is no time zone \"\(shown)\" on this machine" : "\"\(shown)\" is not \(form)"
    return "\(reason)." + NearestName.hint(for: name, among: known + universal)
  }

  /// The names that are zones on this machine, in order.
  package static func all(in folder: String = folder) -> [String] {
    universal.union(zones(in: folder, below: "", parts: 1)).sorted()
  }

  /// Whether a zone is that of a place. Some machines have only `UTC` and its like.
  private static func isPlace(_ name: String) -> Bool {
    name.utf8.contains(UInt8(ascii: "/")) && !name.hasPrefix("Etc/")
  }

  private static func isZone(_ name: String, in folder: String) -> Bool {
    let path = "\(folder)/\(name)"
    guard !others.contains(String(name.prefix { $0 != "/" })),
      (try? Files.kind(of: path)) == .regular,
      let start = try? Files.beginning(of: path, count: 4)
    else { return false }
    return start == Array("TZif".utf8)
  }

  private static func zones(in folder: String, below parent: String, parts: Int) -> [String] {
    // A folder that can't be read has no zones for anyone else either.
    let names = (try? Files.names(in: "\(folder)/\(parent)")) ?? []
    return names.flatMap { entry in
      let name = parent + entry
      guard hasForm(name), !(parent.isEmpty && others.contains(entry)) else { return [String]() }
      if isZone(name, in: folder) { return [name] }
      return parts < maxParts ? zones(in: folder, below: "\(name)/", parts: parts + 1) : []
    }
  }
}
