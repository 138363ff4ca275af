import Glibc

/// The system's SQLite, loaded at run time, so that only a durable store needs it.
///
/// The functions are those of the C interface (sqlite.org/c3ref). A database is an opaque pointer.
@safe struct SQLiteLibrary {
  static let name = "libsqlite3.so.0"

  typealias Handle = OpaquePointer
  typealias Text = UnsafePointer<CChar>
  typealias Destructor = UnsafeRawPointer
  typealias BusyHandler = @convention(c) (UnsafeMutableRawPointer?, Int32) -> Int32

  let open: @convention(c) (Text?, UnsafeMutablePointer<Handle?>?, Int32, Text?) -> Int32
  let close: @convention(c) (Handle?) -> Int32
  let busyHandler: @convention(c) (Handle?, BusyHandler?, UnsafeMutableRawPointer?) -> Int32
  let message: @convention(c) (Handle?) -> Text?
  let prepare:
    @convention(c) (
      Handle?, Text?, Int32, UnsafeMutablePointer<Handle?>?, UnsafeMutablePointer<Text?>?
    ) -> Int32
  let bindText: @convention(c) (Handle?, Int32, Text?, Int32, Destructor?) -> Int32
  let step: @convention(c) (Handle?) -> Int32
  let columnText: @convention(c) (Handle?, Int32) -> UnsafePointer<UInt8>?
  let columnBytes: @convention(c) (Handle?, Int32) -> Int32
  let finalize: @convention(c) (Handle?) -> Int32

  /// Results and flags that we use (sqlite3.h).
  static let ok: Int32 = 0
  static let row: Int32 = 100
  static let done: Int32 = 101
  static let readWrite: Int32 = 0x2

  init() throws(StorageError) {
    guard let library = unsafe dlopen(Self.name, RTLD_NOW | RTLD_LOCAL) else {
      throw StorageError(
        "a store in a file needs SQLite (\(Self.name)), which this machine lacks. Install it (on"
          + " Debian and Ubuntu: libsqlite3-0), or use --store memory.")
    }
    func function<Function>(_ symbol: String) throws(StorageError) -> Function {
      guard let found = unsafe dlsym(library, symbol) else {
        throw StorageError("the \(Self.name) of this machine has no \(symbol); it is too old.")
      }
      return unsafe unsafeBitCast(found, to: Function.self)
    }
    unsafe open = try function("sqlite3_open_v2")
    unsafe close = try function("sqlite3_close_v2")
    unsafe busyHandler = try function("sqlite3_busy_handler")
    unsafe message = try function("sqlite3_errmsg")
    unsafe prepare = try function("sqlite3_prepare_v2")
    unsafe bindText = try function("sqlite3_bind_text")
    unsafe step = try function("sqlite3_step")
    unsafe columnText = try function("sqlite3_column_text")
    unsafe columnBytes = try function("sqlite3_column_bytes")
    unsafe finalize = try function("sqlite3_finalize")
  }
}

/// An open database: SQL with text in and text out.
@safe final class SQLiteDatabase {
  /// The time between two attempts to get a lock, in microseconds. SQLite's own handler soon waits
  /// for 100 ms, and misses a lock that busy neighbours leave free for less.
  private static let pause: UInt32 = 500

  private let library: SQLiteLibrary
  private let handle: OpaquePointer
  private let name: String
  /// How long a statement waits for the locks of other processes.
  private let patience: Nanoseconds
  private var waitStart: Nanoseconds = 0

  /// Opens an existing database.
  ///
  /// - Parameters:
  ///   - path: an absolute path. SQLite takes some others for something else than a file.
  ///   - name: the database's name in errors.
  init(
    path: String, name: String, patience: Nanoseconds = DatabaseStorage.patience
  ) throws(StorageError) {
    let library = try SQLiteLibrary()
    self.library = library
    self.name = name
    self.patience = patience
    var opened: OpaquePointer?
    let status = unsafe path.withPath {
      unsafe library.open($0, &opened, SQLiteLibrary.readWrite, nil)
    }
    guard let opened = unsafe opened else { throw StorageError("SQLite has no memory left.") }
    unsafe handle = opened
    guard status == SQLiteLibrary.ok else { throw failure("open") }
    // The database is closed before this object is gone, so SQLite never calls it after that.
    _ = unsafe library.busyHandler(
      handle,
      { context, attempts in
        guard let context = unsafe context else { return 0 }
        return unsafe Unmanaged<SQLiteDatabase>.fromOpaque(context).takeUnretainedValue()
          .waitsOn(after: attempts) ? 1 : 0
      }, Unmanaged.passUnretained(self).toOpaque())
  }

  /// Waits for a lock that another process holds.
  ///
  /// - Parameter attempts: how often this was called for the same lock before.
  /// - Returns: whether to try again.
  private func waitsOn(after attempts: Int32) -> Bool {
    let now = SystemClock.monotonic()
    if attempts == 0 { waitStart = now }
    guard now - waitStart < patience else { return false }
    usleep(Self.pause)
    return true
  }

  deinit { _ = unsafe library.close(handle) }

  /// Runs one statement.
  ///
  /// - Parameter arguments: UTF-8 text for each `?` of the statement.
  /// - Returns: the first column of each row.
  @discardableResult
  func run(_ sql: String, _ arguments: [[UInt8]] = []) throws(StorageError) -> [[UInt8]] {
    var statement: OpaquePointer?
    guard unsafe library.prepare(handle, sql, -1, &statement, nil) == SQLiteLibrary.ok else {
      throw failure("read")
    }
    defer { _ = unsafe library.finalize(statement) }
    // -1 tells SQLite to copy the text, which lives no longer than this call.
    let copy = unsafe UnsafeRawPointer(bitPattern: -1)
    for (index, argument) in arguments.enumerated() {
      let status = unsafe argument.withUnsafeBytes { bytes in
        let text = unsafe bytes.baseAddress?.assumingMemoryBound(to: CChar.self)
        // An empty array may have no address, which SQLite would take for NULL.
        return unsafe "".withCString { empty in
          unsafe library.bindText(
            statement, Int32(index + 1), text ?? empty, Int32(bytes.count), copy)
        }
      }
      guard status == SQLiteLibrary.ok else { throw failure("write") }
    }
    var rows: [[UInt8]] = []
    while true {
      let status = unsafe library.step(statement)
      if status == SQLiteLibrary.done { return rows }
      guard status == SQLiteLibrary.row else { throw failure("use") }
      let count = unsafe Int(library.columnBytes(statement, 0))
      let text = unsafe library.columnText(statement, 0)
      unsafe rows.append(Array(UnsafeBufferPointer(start: text, count: text == nil ? 0 : count)))
    }
  }

  private func failure(_ action: String) -> StorageError {
    let reason = unsafe library.message(handle).map { unsafe String(cString: $0) } ?? "no reason"
    return StorageError("could not \(action) the store \"\(name)\": \(reason).")
  }
}
