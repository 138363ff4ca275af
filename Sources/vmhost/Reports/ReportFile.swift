import HostCore

/// Reads and writes report files, with errors that name them.
enum ReportFile {
  static func exists(_ path: String) throws(SystemError) -> Bool {
    do throws(SystemError) {
      _ = try Files.kind(of: path)
      return true
    } catch {
      guard error.isNotFound else { throw error }
      return false
    }
  }

  /// The largest report, such as the events of a million transcripts.
  private static let maxBytes = 1 << 28

  static func read(_ path: String) throws(Failure) -> [UInt8] {
    do throws(SystemError) {
      return try Files.read(path, limit: maxBytes)
    } catch { throw unreadable(path, error) }
  }

  /// Replaces a file. If that fails, the old file is unchanged.
  static func write(_ bytes: [UInt8], to path: String) throws(Failure) {
    do throws(SystemError) {
      try Files.replace(path, with: bytes.span)
    } catch { throw unwritable(path, error) }
  }

  /// Writes a file that will be written again later, to find out early whether that is possible. A
  /// pipe or device is skipped, since it can only be written once.
  static func begin(_ path: String, with bytes: [UInt8]) throws(Failure) {
    if let kind = try? Files.kind(of: path), kind == .other { return }
    try write(bytes, to: path)
  }

  static func unreadable(_ path: String, _ error: SystemError) -> Failure {
    Failure(.usage, "could not read \"\(path)\": \(error.reason).")
  }

  static func unwritable(_ path: String, _ error: SystemError) -> Failure {
    Failure(.outputLost, "could not write \"\(path)\": \(error.reason).")
  }
}
