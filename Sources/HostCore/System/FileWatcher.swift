import Glibc

/// Watches files and folders, and tells which files have changed.
///
/// The kernel's notices only say where to look. What counts is what is at a path then, so that a
/// file that is replaced by a rename, removed and written anew, written in pieces or behind links
/// has one change. Where there are no notices, it looks at all files now and then.
package final class FileWatcher {
  package struct Change: Equatable, Sendable {
    package enum Kind: Sendable {
      case written
      case removed
      /// A library that nobody has finished for a while.
      case unfinished
    }

    /// The path as it was given, or in a folder that was given.
    package let path: String
    package let kind: Kind
  }

  /// A folder in which files are watched, in it and below.
  package struct Tree: Sendable {
    let folder: String
    /// Whether a file or a folder of this name is watched.
    let takes: @Sendable (_ name: String, _ isFolder: Bool) -> Bool

    package init(
      _ folder: String, takes: @escaping @Sendable (_ name: String, _ isFolder: Bool) -> Bool
    ) {
      self.folder = folder.withoutSlashesAtEnd
      self.takes = takes
    }
  }

  /// How long it waits for what.
  package struct Timing: Sendable {
    /// For a file to come back, or for its writer to close it.
    package var settling: Nanoseconds = 100_000_000
    /// For further files of a folder, which a program often writes together.
    package var gathering: Nanoseconds = 50_000_000
    /// For the rest of a library.
    package var finishing: Nanoseconds = 2_000_000_000
    /// Between two looks at all files where there are no notices.
    package var polling: Nanoseconds = 250_000_000

    package init() {}
  }

  struct Known {
    var version: FileVersion?
    /// The time of day at which it was seen.
    var seen: Nanoseconds
    var isLibrary = false
    /// The index of the tree in which it was found.
    var tree: Int?
  }

  struct Pending {
    /// The time of the last notice, or of the last difference that was seen.
    var last: Nanoseconds
    /// Whether a writer has closed the file.
    var isClosed = false
    var version: FileVersion?
  }

  let timing: Timing
  /// The files to which this process itself writes its output and messages. They don't count.
  private let ownOutputs = [Descriptor.standardOutput, Descriptor.standardError]
    .compactMap(FileVersion.init(ofDescriptor:))
  private let isWhole: (_ library: String) -> Bool
  let currentFolder: String
  var trees: [Tree] = []
  /// The files that are watched by their own paths.
  var files: Set<PathKey> = []
  var known: [PathKey: Known] = [:]
  var pending: [PathKey: Pending] = [:]
  /// When each tree was noticed last.
  var noticed: [Nanoseconds] = []

  var notices: FolderNotices?
  var places = FilePlaces()
  /// Whether the folders on the way to files may have changed.
  var isOutdated = true
  /// Whether files that are found in trees are new, as opposed to those of the first look.
  var hasStarted = false
  /// Why there are no notices, until somebody has asked.
  var reason: String?
  private var nextLook: Nanoseconds = 0
  /// When something becomes due, as of the last `take`.
  private var due: Nanoseconds?

  /// - Parameters:
  ///   - usesNotices: whether it asks the kernel for notices, or always looks itself.
  ///   - isWhole: whether a library is complete.
  package init(
    timing: Timing = Timing(), usesNotices: Bool = true,
    isWhole: @escaping (_ library: String) -> Bool
  ) throws(SystemError) {
    self.timing = timing
    self.isWhole = isWhole
    currentFolder = try Files.absolute(".")
    guard usesNotices else { return }
    do throws(SystemError) { notices = try FolderNotices() } catch { giveUp(Self.text(of: error)) }
  }

  // MARK: What is watched

  /// Sets the libraries, other files and folders that are watched. Those that were watched before
  /// and have changed are still told; new ones are told if they change from now on.
  package func watch(libraries: [String] = [], files others: [String] = [], trees: [Tree] = []) {
    let wall = SystemClock.wall()
    let before = known
    self.trees = trees
    noticed = trees.map { _ in 0 }
    files = Set((libraries + others).map(PathKey.init))
    known = [:]
    for key in libraries.map(PathKey.init) {
      known[key] = before[key] ?? Known(version: FileVersion(of: key.path), seen: wall)
      known[key]?.isLibrary = true
    }
    for key in others.map(PathKey.init) where known[key] == nil {
      known[key] = before[key] ?? Known(version: FileVersion(of: key.path), seen: wall)
      known[key]?.isLibrary = false
    }
    pending = pending.filter { files.contains($0.key) }
    hasStarted = false
    place(SystemClock.monotonic())
    hasStarted = true
    for (key, old) in before where known[key] != nil && old.tree != nil {
      known[key]?.version = old.version
      known[key]?.seen = old.seen
    }
    // What has changed while it was being placed is found by a comparison.
    isOutdated = true
  }

  // MARK: Waiting

  /// What to wait for before the next `take`.
  package var interests: [Descriptor.Interest] { notices.map { [$0.interest] } ?? [] }

  /// How long to wait at most; nil for as long as nothing is ready.
  package var timeout: Nanoseconds? {
    if isOutdated { return 0 }
    let moments = [due, notices == nil ? nextLook : nil].compactMap { $0 }
    return moments.min().map { max($0 - SystemClock.monotonic(), 0) }
  }

  /// Makes the next `take` look at all files, so that it misses nothing that has happened before.
  package func lookAgain() { isOutdated = true }

  /// Whether something has happened that will be told, or turn out to be no change.
  package var isUnsettled: Bool { !pending.isEmpty }

  /// Says once, in a sentence, that and why files are looked at now and then.
  package func takeNotice() -> String? {
    defer { reason = nil }
    return reason.map {
      "looking for changes every \(timing.polling / 1_000_000) ms: \($0)"
    }
  }

  /// Returns the changes that are due, in the order of their paths, without waiting.
  package func take() -> [Change] {
    let now = SystemClock.monotonic()
    receive(now)
    if notices == nil && now >= nextLook { isOutdated = true }
    if isOutdated { place(now) }
    if notices == nil {
      // A large tree on a slow network is looked at less often.
      let end = SystemClock.monotonic()
      if now >= nextLook { nextLook = end + max(timing.polling, 10 * (end - now)) }
    }
    return settle(now)
  }

  /// Ends the notices, and says why.
  func giveUp(_ reason: String) {
    notices = nil
    places = FilePlaces()
    isOutdated = true
    self.reason = reason
  }

  static func text(of error: SystemError) -> String {
    switch error.number {
    case ENOSPC:
      "the system watches no more folders for this user (fs.inotify.max_user_watches)."
    case EMFILE:
      "the system has no more watchers for this user (fs.inotify.max_user_instances)."
    default: "the system can't watch folders: \(error.reason)."
    }
  }

  // MARK: Changes

  private func settle(_ now: Nanoseconds) -> [Change] {
    var changes: [Change] = []
    due = nil
    for key in pending.keys.sorted() {
      switch ruling(on: key, now) {
      case .wait(let moment): due = min(due ?? moment, moment)
      case .nothing:
        pending[key] = nil
        // A name that was only there for a moment.
        if let entry = known[key], entry.tree != nil && entry.version == nil { known[key] = nil }
      case .told(let kind, let version):
        pending[key] = nil
        if known[key]?.tree != nil && version == nil {
          known[key] = nil
        } else {
          known[key]?.version = version
          known[key]?.seen = SystemClock.wall()
        }
        changes.append(Change(path: key.path, kind: kind))
      }
    }
    return changes
  }

  private enum Ruling {
    case nothing
    case wait(until: Nanoseconds)
    case told(Change.Kind, FileVersion?)
  }

  private func ruling(on key: PathKey, _ now: Nanoseconds) -> Ruling {
    guard var state = pending[key], let known = known[key] else { return .nothing }
    let version = FileVersion(of: key.path)
    if let file = version ?? known.version, ownOutputs.contains(where: file.isSameFile) {
      return .nothing
    }
    if version != state.version {
      state.version = version
      state.last = now
      pending[key] = state
    }
    if version == known.version && !(state.isClosed && known.mayMissWrites) { return .nothing }
    var moment = state.last + timing.settling
    var kind = Change.Kind.written
    if let version {
      if known.isLibrary && !isWhole(key.path) {
        moment = state.last + timing.finishing
        kind = .unfinished
      } else if state.isClosed && version.size > 0 || version.links > 1 {
        moment = now
      }
    } else {
      kind = .removed
    }
    if let tree = known.tree { moment = max(moment, noticed[tree] + timing.gathering) }
    guard moment <= now else { return .wait(until: min(moment, now + timing.settling)) }
    return .told(kind, version)
  }
}

extension FileWatcher.Known {
  /// A file's time advances in steps of some milliseconds. What is written within the step in which
  /// the file was seen doesn't show.
  private static let step: Nanoseconds = 20_000_000

  fileprivate var mayMissWrites: Bool {
    version.map { seen - $0.modified < Self.step } ?? false
  }
}

extension String {
  fileprivate var withoutSlashesAtEnd: String {
    var path = self[...]
    while path.count > 1 && path.hasSuffix("/") { path.removeLast() }
    return String(path)
  }
}
