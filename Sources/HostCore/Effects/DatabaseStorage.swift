import Basics

/// Storage in an SQLite file, for live runs. Values survive the death of the process, even by
/// `kill -9`.
package final class DatabaseStorage: StorageBackend {
  /// The version that is written into the file, so that a later vmhost knows its format.
  private static let formatVersion = 1

  private let database: SQLiteDatabase

  /// Opens the store, and creates the file if there is none.
  ///
  /// - Throws: if the system has no SQLite, if the file can't be opened or is no database, or if a
  ///   newer vmhost wrote it.
  package init(path: String) throws(StorageError) {
    database = try SQLiteDatabase(path: path)
    let version = try database.run("PRAGMA user_version").first.flatMap {
      Int(String(repairing: $0.span))
    }
    guard let version, version <= Self.formatVersion else {
      throw StorageError(
        "the store \"\(path)\" was written by a newer vmhost (format \(version ?? -1), this one"
          + " knows \(Self.formatVersion)).")
    }
    // With a write-ahead log every finished statement survives the death of the process, without a
    // sync for each.
    try database.run("PRAGMA journal_mode = WAL")
    try database.run("PRAGMA synchronous = NORMAL")
    try database.run(
      """
      CREATE TABLE IF NOT EXISTS storage (
        plugin TEXT NOT NULL, key TEXT NOT NULL, value TEXT NOT NULL, PRIMARY KEY (plugin, key)
      ) WITHOUT ROWID
      """)
    try database.run("PRAGMA user_version = \(Self.formatVersion)")
  }

  package func value(of key: String, in plugin: String) throws(StorageError) -> [UInt8]? {
    try database.run(
      "SELECT value FROM storage WHERE plugin = ? AND key = ?",
      [Array(plugin.utf8), Array(key.utf8)]
    ).first
  }

  package func set(_ key: String, to value: [UInt8], in plugin: String) throws(StorageError) {
    try database.run(
      "INSERT INTO storage VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET value = excluded.value",
      [Array(plugin.utf8), Array(key.utf8), value])
  }

  package func delete(_ key: String, in plugin: String) throws(StorageError) {
    try database.run(
      "DELETE FROM storage WHERE plugin = ? AND key = ?", [Array(plugin.utf8), Array(key.utf8)])
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
