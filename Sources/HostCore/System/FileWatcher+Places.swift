extension FileWatcher {
  /// As many links as Linux follows.
  private static let maxLinks = 40

  // MARK: Notices

  /// Takes what the kernel has told since the last call.
  func receive(_ now: Nanoseconds) {
    let received: [FolderNotices.Notice]
    do throws(SystemError) {
      guard let fresh = try notices?.read() else { return }
      received = fresh
    } catch {
      return giveUp(Self.text(of: error))
    }
    for notice in received {
      switch notice.event {
      case .overflow: isOutdated = true
      case .folderGone: if places.all[notice.folder] != nil { isOutdated = true }
      case .written, .appeared, .gone: take(notice, now)
      }
    }
  }

  private func take(_ notice: FolderNotices.Notice, _ now: Nanoseconds) {
    guard let place = places.all[notice.folder] else { return }
    if let name = place.names[PathKey(notice.name)] {
      if name.isOnTheWay { isOutdated = true }
      for key in name.files {
        mark(key, now, isClosed: notice.event == .written)
        // A link leads to other folders.
        if (try? Files.isLink(key.path)) == true { isOutdated = true }
      }
    }
    for (tree, folder) in place.trees where trees[tree].takes(notice.name, notice.isFolder) {
      let path = "\(folder)/\(notice.name)"
      if notice.isFolder {
        isOutdated = true
      } else {
        noticed[tree] = now
        let key = PathKey(path)
        if known[key] == nil { known[key] = Known(version: nil, seen: 0, tree: tree) }
        mark(key, now, isClosed: notice.event == .written)
        if notice.event != .gone, (try? Files.isLink(path)) == true { isOutdated = true }
      }
    }
  }

  private func mark(_ key: PathKey, _ now: Nanoseconds, isClosed: Bool) {
    var state = pending[key] ?? Pending(last: now, version: FileVersion(of: key.path))
    state.last = now
    state.isClosed = state.isClosed || isClosed
    pending[key] = state
  }

  // MARK: Places

  /// Watches all folders that lead to files now, and compares all files with what is known of them.
  func place(_ now: Nanoseconds) {
    isOutdated = false
    var survey = Survey(places: FilePlaces())
    for key in files { follow(key.path, for: key, &survey) }
    for tree in trees.indices { add(tree, &survey) }
    let unused = Set(places.all.keys).subtracting(survey.places.all.keys)
    if notices != nil {
      places = survey.places
      for number in unused { notices?.remove(number) }
    }
    compare(survey.found, now)
  }

  private func compare(_ found: Set<PathKey>, _ now: Nanoseconds) {
    let wall = SystemClock.wall()
    for (key, entry) in known {
      let version = FileVersion(of: key.path)
      if entry.tree != nil && !found.contains(key) && version != nil {
        // It is there, but no longer where files are watched.
        known[key] = nil
        pending[key] = nil
      } else if !hasStarted && entry.tree != nil && entry.seen == 0 {
        known[key]?.version = version
        known[key]?.seen = wall
      } else if version != entry.version, pending[key] == nil {
        pending[key] = Pending(last: now, version: version)
        if let tree = entry.tree { noticed[tree] = now }
      }
    }
  }

  /// What is found while folders are looked at once.
  private struct Survey {
    var places: FilePlaces
    /// The numbers of folders that have been added; nil for those that can't be watched.
    var numbers: [PathKey: Int32?] = [:]
    /// The folders that hold watched files, as far as it is known that they are watched.
    var checked: Set<PathKey> = []
    /// The files in trees.
    var found: Set<PathKey> = []
  }

  /// Watches each folder on the way to a file, since any may be removed, renamed or become a link.
  private func follow(_ path: String, for key: PathKey?, _ survey: inout Survey) {
    let absolute = Files.isAbsolute(path) ? path : "\(currentFolder)/\(path)"
    var rest = Self.names(absolute)
    var folder = "/"
    var links = 0
    while let name = rest.popLast() {
      if name == "." { continue }
      if name == ".." {
        folder = Self.folder(above: folder)
        continue
      }
      // The folder is watched before it is looked at what is in it, so that nothing is missed.
      let number = add(folder, isNeeded: rest.isEmpty, &survey)
      let inner = folder == "/" ? "/\(name)" : "\(folder)/\(name)"
      let target = try? Files.target(ofLink: inner)
      if let number {
        var place = survey.places.all[number] ?? FilePlaces.Place()
        if let key { place.names[PathKey(name), default: .init()].files.insert(key) }
        if !rest.isEmpty || target != nil || key == nil {
          place.names[PathKey(name), default: .init()].isOnTheWay = true
        }
        survey.places.all[number] = place
      }
      if let target {
        links += 1
        guard links <= Self.maxLinks else { return }
        if Files.isAbsolute(target) { folder = "/" }
        rest += Self.names(target)
      } else {
        guard rest.isEmpty || (try? Files.kind(of: inner)) == .directory else { return }
        folder = inner
      }
    }
  }

  /// The names in a path, the first one last.
  private static func names(_ path: String) -> [String] {
    Files.components(of: path).reversed()
  }

  private static func folder(above folder: String) -> String {
    let above = Files.folder(of: folder) ?? ""
    return above.isEmpty ? "/" : above
  }

  /// Watches a folder.
  ///
  /// - Parameter isNeeded: whether files in it are watched, and not only a way.
  /// - Returns: its number; nil if it can't be watched.
  private func add(_ folder: String, isNeeded: Bool, _ survey: inout Survey) -> Int32? {
    guard notices != nil else { return nil }
    let key = PathKey(folder)
    let isChecked = !isNeeded || survey.checked.contains(key)
    if let known = survey.numbers[key], isChecked { return known }
    if isNeeded { survey.checked.insert(key) }
    var number: Int32?
    do throws(SystemError) {
      number = try notices?.add(folder)
      if isNeeded, let name = RemoteFileSystem.name(of: folder) {
        giveUp("\"\(folder)\" is on a file system (\(name)) that others may change unnoticed.")
        return nil
      }
    } catch {
      // Folders above often can't be read, but they rarely change. One that isn't there is looked
      // for in the folder above it.
      if !error.isNotFound && (isNeeded || !error.isDenied) { giveUp(Self.text(of: error)) }
    }
    survey.numbers[key] = .some(number)
    return number
  }

  // MARK: Trees

  private func add(_ tree: Int, _ survey: inout Survey) {
    follow(trees[tree].folder, for: nil, &survey)
    scan(tree, trees[tree].folder, &survey)
  }

  private func scan(_ tree: Int, _ folder: String, _ survey: inout Survey) {
    let isAbsolute = Files.isAbsolute(folder)
    if let number = add(isAbsolute ? folder : "\(currentFolder)/\(folder)", isNeeded: true, &survey)
    {
      survey.places.all[number, default: .init()].trees.append((tree, folder))
    }
    guard let names = try? Files.names(in: folder) else { return }
    for name in names {
      let path = folder == "/" ? "/\(name)" : "\(folder)/\(name)"
      let isLink = (try? Files.isLink(path)) == true
      guard let kind = try? Files.kind(of: path) else { continue }
      guard trees[tree].takes(name, kind == .directory) else { continue }
      switch kind {
      case .directory: if !isLink { scan(tree, path, &survey) }
      case .regular:
        let key = PathKey(path)
        survey.found.insert(key)
        if known[key] == nil { known[key] = Known(version: nil, seen: 0, tree: tree) }
        if isLink { follow(path, for: key, &survey) }
      case .other: break
      }
    }
  }
}
