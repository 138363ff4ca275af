import Basics
import CanonicalJSON

/// Storage in an SQLite file, for live runs. Values survive the death of the process, even by
/// `kill -9`.
///
/// Several processes may use one file at once. It has SQLite's default journal, which exists only
/// while a value is written, so that the file alone holds everything at any other time.
package final class DatabaseStorage: StorageBackend {
  /// The version that is written into the file, so that a later vmhost knows its format.
  private static let formatVersion = 1
  /// Marks the file as a store, and not as another program's database: "vmho".
  private static let applicationID = 0x766d_686f
  /// How long a request waits for the locks of other processes by default.
  package static let patience: Nanoseconds = 10_000_000_000

  private let database: SQLiteDatabase
  private let path: String
  /// The sizes of plugins' spaces, as of that version of the file. Adding them up anew for each set
  /// would read everything.
  private var sizes: (version: Int, bytes: [String: Int]) = (-1, [:])
  /// The ids whose spaces any library may take over.
  private let adopted: Set<String>

  /// Opens the store, and creates the file if there is none.
  ///
  /// - Parameter adopted: the ids whose spaces go to the library that claims them next.
  /// - Throws: if the system has no SQLite, if the file can't be created, opened or written, is no
  ///   store, or is locked for longer than `patience`, or if a newer vmhost wrote it.
  package init(
    path: String, adopting adopted: Set<String> = [],
    patience: Nanoseconds = DatabaseStorage.patience
  ) throws(StorageError) {
    self.path = path
    self.adopted = adopted
    database = try SQLiteDatabase(
      path: try Self.writableFile(at: path), name: path, patience: patience)
    if try isEmpty() { try fill() }
    try check()
  }

  /// Creates the file if there is none.
  ///
  /// - Returns: its absolute path.
  private static func writableFile(at path: String) throws(StorageError) -> String {
    let absolute: String
    let kind: Files.Kind
    do throws(SystemError) {
      // This doesn't open the file: closing it would release the locks of another session of this
      // process.
      try Files.createEmpty(path, mode: 0o600)
      absolute = try Files.absolute(path)
      kind = try Files.kind(of: absolute)
    } catch { throw couldNotOpen(path, "\(error.reason).") }
    switch kind {
    case .regular: break
    case .directory: throw couldNotOpen(path, "it is a folder. Name a file in it.")
    case .other: throw couldNotOpen(path, "it is a device or a pipe, and a store is a file.")
    }
    do throws(SystemError) {
      try Files.requireWritable(absolute)
    } catch { throw couldNotOpen(path, "it can't be written: \(error.reason).") }
    do throws(SystemError) {
      // SQLite creates its journal there.
      try Files.requireWritable((Files.folder(of: absolute) ?? "") + "/")
    } catch { throw couldNotOpen(path, "its folder can't be written: \(error.reason).") }
    return absolute
  }

  private static func couldNotOpen(_ path: String, _ reason: String) -> StorageError {
    StorageError("could not open the store \"\(path)\": \(reason)")
  }

  // MARK: The format

  /// Whether the file is a database without any content, as a new one is.
  private func isEmpty() throws(StorageError) -> Bool {
    guard try number("PRAGMA application_id") == 0 else { return false }
    guard try number("PRAGMA user_version") == 0 else { return false }
    return try number("SELECT count(*) FROM sqlite_master") == 0
  }

  /// Makes a store of an empty file, unless another process does.
  private func fill() throws(StorageError) {
    // Closing the database after an error undoes everything.
    try database.run("BEGIN IMMEDIATE")
    if try isEmpty() {
      try database.run(
        """
        CREATE TABLE storage (
          plugin TEXT NOT NULL, key TEXT NOT NULL, value TEXT NOT NULL, PRIMARY KEY (plugin, key)
        ) WITHOUT ROWID
        """)
      try database.run(Self.ownersTable)
      try database.run("PRAGMA application_id = \(Self.applicationID)")
      try database.run("PRAGMA user_version = \(Self.formatVersion)")
    }
    try database.run("COMMIT")
  }

  /// - Throws: if the file is no store that this vmhost can read.
  private func check() throws(StorageError) {
    guard try number("PRAGMA application_id") == Self.applicationID else {
      throw Self.couldNotOpen(path, "it is a database of another program.")
    }
    let version = try number("PRAGMA user_version")
    guard version <= Self.formatVersion else {
      throw StorageError(
        "the store \"\(path)\" was written by a newer vmhost (format \(version), this one knows"
          + " \(Self.formatVersion)).")
    }
    try database.run("SELECT value FROM storage LIMIT 0")
    // Stores of earlier versions have no owners.
    let owners = "SELECT count(*) FROM sqlite_master WHERE name = 'owners'"
    if try number(owners) == 0 { try database.run(Self.ownersTable) }
    try database.run("SELECT plugin, path, sha256 FROM owners LIMIT 0")
  }

  private static let ownersTable = """
    CREATE TABLE IF NOT EXISTS owners (
      plugin TEXT NOT NULL PRIMARY KEY, path TEXT NOT NULL, sha256 TEXT NOT NULL
    ) WITHOUT ROWID
    """

  private func number(
    _ sql: String, _ arguments: [[UInt8]] = []
  ) throws(StorageError) -> Int {
    guard let bytes = try database.run(sql, arguments).first,
      let number = Int(String(repairing: bytes.span))
    else { throw StorageError("could not read the store \"\(path)\": it is damaged.") }
    return number
  }

  // MARK: Owners

  /// The first library that claims a space owns it. One that was built again or moved stays its
  /// owner, and is noted as it is now.
  package func claim(
    _ plugin: String, for library: () throws(StorageError) -> StoreOwner
  ) throws(StorageError) -> StoreOwner? {
    let library = try library()
    // Most claims change nothing, and needn't wait for the locks of other processes.
    if try owner(of: plugin) == library { return nil }
    try database.run("BEGIN IMMEDIATE")
    do throws(StorageError) {
      let owner = try owner(of: plugin)
      let isRefused = owner.map { !$0.isSame(as: library) } ?? false
      guard !isRefused || adopted.contains(plugin) else {
        try database.run("ROLLBACK")
        return owner
      }
      try database.run(
        """
        INSERT INTO owners VALUES (?, ?, ?)
        ON CONFLICT DO UPDATE SET path = excluded.path, sha256 = excluded.sha256
        """, [Array(plugin.utf8), Array(library.path.utf8), Array(library.digest.utf8)])
      try database.run("COMMIT")
      return nil
    } catch {
      _ = try? database.run("ROLLBACK")
      throw error
    }
  }

  private func owner(of plugin: String) throws(StorageError) -> StoreOwner? {
    let rows = try database.run(
      "SELECT sha256 || ' ' || path FROM owners WHERE plugin = ?", [Array(plugin.utf8)])
    guard let row = rows.first else { return nil }
    let parts = String(repairing: row.span).split(separator: " ", maxSplits: 1)
    guard parts.count == 2, SHA256.isDigest(parts[0]), Files.isAbsolute(parts[1]) else {
      throw StorageError(
        "could not read the store \"\(path)\": its entry for the owner of \"\(plugin)\" is"
          + " damaged.")
    }
    return StoreOwner(path: String(parts[1]), digest: String(parts[0]))
  }

  // MARK: Values

  /// - Throws: also if the value is not JSON, which only another program can have written.
  package func value(of key: String, in plugin: String) throws(StorageError) -> [UInt8]? {
    let stored = try database.run(
      "SELECT value FROM storage WHERE plugin = ? AND key = ?",
      [Array(plugin.utf8), Array(key.utf8)]
    ).first
    guard let stored else { return nil }
    do throws(JSONError) {
      return try CanonicalJSON.bytes(stored.span)
    } catch {
      throw StorageError("the value of \"\(key)\" in the store \"\(path)\" is not JSON: \(error).")
    }
  }

  package func set(_ key: String, to value: [UInt8], in plugin: String) throws(StorageError) {
    let before = try size(of: key, in: plugin)
    try database.run(
      "INSERT INTO storage VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET value = excluded.value",
      [Array(plugin.utf8), Array(key.utf8), value])
    sizes.bytes[plugin]? += StorageSize.of(key, value) - before
  }

  package func delete(_ key: String, in plugin: String) throws(StorageError) {
    let before = try size(of: key, in: plugin)
    try database.run(
      "DELETE FROM storage WHERE plugin = ? AND key = ?", [Array(plugin.utf8), Array(key.utf8)])
    sizes.bytes[plugin]? -= before
  }

  /// The size of a row, as `StorageSize` counts it.
  private static let rowSize =
    "length(CAST(key AS BLOB)) + length(CAST(value AS BLOB)) + \(StorageSize.ofEntry)"

  package func size(of key: String, in plugin: String) throws(StorageError) -> Int {
    try number(
      "SELECT coalesce(sum(\(Self.rowSize)), 0) FROM storage WHERE plugin = ? AND key = ?",
      [Array(plugin.utf8), Array(key.utf8)])
  }

  package func size(of plugin: String) throws(StorageError) -> Int {
    // This changes when another connection has written.
    let version = try number("PRAGMA data_version")
    if version != sizes.version { sizes = (version, [:]) }
    if let known = sizes.bytes[plugin] { return known }
    let size = try number(
      "SELECT coalesce(sum(\(Self.rowSize)), 0) FROM storage WHERE plugin = ?",
      [Array(plugin.utf8)])
    sizes.bytes[plugin] = size
    return size
  }

  package func keys(
    withPrefix prefix: String, in plugin: String
  ) throws(StorageError) -> [String] {
    try database.run(
      """
      SELECT key FROM storage WHERE plugin = ?1 AND key >= ?2 AND (?2 = ''
      OR substr(CAST(key AS BLOB), 1, length(CAST(?2 AS BLOB))) = CAST(?2 AS BLOB)) ORDER BY key
      """,
      [Array(plugin.utf8), Array(prefix.utf8)]
    ).map { String(repairing: $0.span) }
  }
}
