import HostCore

/// The changes that would make transcripts say what plugins do, equal ones together.
struct ChangeGroups {
  /// A transcript with changes.
  struct File {
    let path: String
    let old: [UInt8]
    let update: TranscriptUpdate
    /// Whether it has no expectations yet.
    let fillsIn: Bool
    /// Whether something else is wrong with it, which no change makes right.
    let staysWrong: Bool
  }

  /// A change of a transcript.
  struct Place {
    let file: Int
    let change: Int
  }

  /// Changes that remove and insert the same lines.
  struct Group {
    fileprivate(set) var places: [Place]
    fileprivate(set) var fileCount = 1

    /// The first change of each file.
    var files: [Place] {
      var last: Int?
      return places.filter { place in
        defer { last = place.file }
        return place.file != last
      }
    }
  }

  private(set) var files: [File] = []
  private(set) var groups: [Group] = []
  /// The index of the group with each fingerprint.
  private var indices: [String: Int] = [:]

  /// Adds the changes of a transcript. Transcripts are added in the order of their paths.
  mutating func add(
    _ report: TranscriptTest.Report, _ old: [UInt8], _ update: TranscriptUpdate
  ) {
    for (index, change) in update.changes.enumerated() {
      let place = Place(file: files.count, change: index)
      let fingerprint = change.difference.fingerprint
      guard let group = indices[fingerprint] else {
        indices[fingerprint] = groups.count
        groups.append(Group(places: [place]))
        continue
      }
      if groups[group].places.last?.file != place.file { groups[group].fileCount += 1 }
      groups[group].places.append(place)
    }
    files.append(
      File(
        path: report.result.path, old: old, update: update, fillsIn: report.fillsIn,
        staysWrong: report.staysWrong))
  }

  // MARK: Texts

  /// How many files the text of a group names.
  private static let maxNamed = 3

  private func change(_ place: Place) -> TranscriptUpdate.Change {
    files[place.file].update.changes[place.change]
  }

  private func location(_ place: Place) -> String {
    "\(files[place.file].path):\(change(place).difference.line)".terminalSafeLine
  }

  /// The number of a group, and where its change is.
  func heading(_ index: Int) -> String {
    "change \(index + 1) of \(groups.count), at \(place(index))"
  }

  /// Where the change of a group is.
  private func place(_ index: Int) -> String {
    let group = groups[index]
    let others =
      group.fileCount > 1
      ? " and in \(Count.of(group.fileCount - 1, "more transcript"))"
      : group.places.count > 1 ? " and in \(Count.of(group.places.count - 1, "more step"))" : ""
    return location(group.places[0]) + others
  }

  /// Where the change of a group is, and what it is, in one line.
  func summary(_ index: Int) -> String {
    "\(place(index)): \(change(groups[index].places[0]).difference.summary.terminalSafeLine)"
  }

  /// The heading, the step with the lines around it, and the difference.
  func text(_ index: Int, _ style: Style) -> String {
    let place = groups[index].places[0]
    let text = change(place).text(
      in: files[place.file].old, style: style.isColoured ? DiffStyle(style) : nil)
    return "\(heading(index))\n\(style.isColoured ? text : text.terminalSafe)\n"
  }

  /// All groups, with the files of each.
  func list(_ style: Style, isVerbose: Bool) -> String {
    groups.indices.map { index in
      let files = groups[index].files
      guard files.count > 1 else { return text(index, style) + "\n" }
      let named = isVerbose ? files.count : min(files.count, Self.maxNamed)
      var names = files.prefix(named).map(location)
      if named < files.count {
        names.append("and \(files.count - named) more (-v shows all)")
      }
      return text(index, style) + "in " + names.joined(separator: ", ") + "\n\n"
    }.joined()
  }
}
