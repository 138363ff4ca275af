import Glibc

/// What happens in folders, as inotify(7) tells it.
final class FolderNotices {
  struct Notice {
    enum Event {
      /// A writer has closed the file, or it was renamed to this name.
      case written
      case appeared
      case gone
      /// The folder itself was removed, renamed or unmounted.
      case folderGone
      /// Some notices were lost.
      case overflow
    }

    let event: Event
    /// The number of the folder.
    let folder: Int32
    let name: String
    let isFolder: Bool
  }

  private let descriptor: FileDescriptor

  init() throws(SystemError) {
    let number = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
    guard number >= 0 else { throw .last("inotify_init1") }
    descriptor = FileDescriptor(adopting: number)
  }

  var interest: Descriptor.Interest { Descriptor.Interest(descriptor.number) }

  private static let events =
    IN_CLOSE_WRITE | IN_MOVED_TO | IN_MOVED_FROM | IN_CREATE | IN_DELETE | IN_DELETE_SELF
    | IN_MOVE_SELF | IN_ONLYDIR

  /// Begins to watch a folder.
  ///
  /// - Returns: its number, which is the same for each path of one folder.
  func add(_ folder: String) throws(SystemError) -> Int32 {
    let number = unsafe folder.withPath { path in
      unsafe inotify_add_watch(descriptor.number, path, UInt32(Self.events))
    }
    guard number >= 0 else { throw .last("inotify_add_watch") }
    return number
  }

  /// Ends the watch of a folder. One that is gone isn't watched any more.
  func remove(_ folder: Int32) { _ = inotify_rm_watch(descriptor.number, folder) }

  /// Returns what has happened since the last call, without waiting.
  func read() throws(SystemError) -> [Notice] {
    var notices: [Notice] = []
    var bytes: [UInt8] = []
    while let count = try Descriptor.read(descriptor.number, limit: 1 << 16, into: &bytes),
      count > 0
    {
      Self.parse(bytes, into: &notices)
      bytes.removeAll(keepingCapacity: true)
    }
    return notices
  }

  /// The size of `inotify_event` without the name.
  private static let headerSize = 16

  private static func parse(_ bytes: [UInt8], into notices: inout [Notice]) {
    func number(_ offset: Int) -> UInt32 {
      (0..<4).reduce(0) { $0 | UInt32(bytes[offset + $1]) << (8 * UInt32($1)) }
    }
    var start = 0
    while start + headerSize <= bytes.count {
      let nameStart = start + headerSize
      let end = nameStart + Int(number(start + 12))
      let mask = number(start + 4)
      notices.append(
        Notice(
          event: event(of: mask), folder: Int32(bitPattern: number(start)),
          name: PathText.text(bytes[nameStart..<end].prefix { $0 != 0 }),
          isFolder: mask & UInt32(IN_ISDIR) != 0))
      start = end
    }
  }

  private static func event(of mask: UInt32) -> Notice.Event {
    func has(_ events: Int32) -> Bool { mask & UInt32(bitPattern: events) != 0 }
    if has(Int32(IN_Q_OVERFLOW)) { return .overflow }
    if has(Int32(IN_DELETE_SELF | IN_MOVE_SELF | IN_UNMOUNT | IN_IGNORED)) { return .folderGone }
    if has(Int32(IN_CLOSE_WRITE | IN_MOVED_TO)) { return .written }
    return has(Int32(IN_CREATE)) ? .appeared : .gone
  }
}
