/// Swift's own backtracer, a program of the toolchain that the runtime starts after a crash.
///
/// It reads the memory of the crashed process, and symbols from the files of its libraries. A
/// confined worker allows neither.
package struct Backtracer: Sendable {
  /// The time limit for finding symbols. One second is usual.
  static let timeLimit: Nanoseconds = 60_000_000_000
  /// The start of the last line, which says how long the backtrace took.
  static let lastLine = "Backtrace took "

  private let program: String?
  private let root: String?
  /// Whether to interrupt a plugin that hangs, to find out where.
  let interruptsHangs: Bool

  /// - Parameters:
  ///   - settings: the user's `SWIFT_BACKTRACE`, which may name the program.
  ///   - root: the user's `SWIFT_ROOT`, where the runtime searches for it.
  ///   - folder: the folder of vmhost, where a package of vmhost may have the program. Otherwise
  ///     the one of the runtime's toolchain is used.
  /// - Throws: `BacktraceError` if `settings` names a program that doesn't exist.
  package init(
    settings: String?, root: String?, beside folder: String, interruptsHangs: Bool
  ) throws(BacktraceError) {
    self.root = root
    self.interruptsHangs = interruptsHangs
    let key = "swift-backtrace="
    let named = settings?.split(separator: ",").last { $0.hasPrefix(key) }
    if let path = named.map({ String($0.dropFirst(key.count)) }) {
      guard Self.isFile(path) else { throw .notInstalled(path) }
      program = path
    } else {
      program = ["swift-backtrace", "swift-backtrace-static"].map { "\(folder)/\($0)" }
        .first(where: Self.isFile)
    }
  }

  private static func isFile(_ path: String) -> Bool { (try? Files.kind(of: path)) == .regular }

  /// A worker's environment, with the backtracer switched on.
  ///
  /// - Parameter base: the worker's usual variables.
  func environment(_ base: [String]) -> [String] {
    let settings = [
      "enable=yes", "interactive=no", "color=no", "output-to=stderr", "preset=friendly",
      "threads=crashed", "registers=none", "images=none", "sanitize=no",
    ]
    let own = settings + (program.map { ["swift-backtrace=\($0)"] } ?? [])
    return base.filter { !$0.hasPrefix("SWIFT_BACKTRACE=") }
      + ["SWIFT_BACKTRACE=\(own.joined(separator: ","))"]
      + (root.map { ["SWIFT_ROOT=\($0)"] } ?? [])
  }
}

/// The reason why there is no backtrace.
package enum BacktraceError: Error, Equatable, Sendable, CustomStringConvertible {
  /// There is no such file or, with nil, the runtime finds no backtracer.
  case notInstalled(String?)
  /// The backtracer could not be started, or failed. The value is its last output.
  case failed(String)
  /// The library at this path has changed since it was loaded.
  case changed(String)
  /// The library doesn't load this time.
  case notLoaded(String)
  case didNotCrash
  case didNotHang
  /// The replay also ended, in a way that the backtracer doesn't catch.
  case unseen(String)

  package var description: String {
    switch self {
    case .notInstalled(let path):
      "no backtrace: "
        + (path.map { "there is no \($0), which SWIFT_BACKTRACE names" }
          ?? "swift-backtrace was not found")
        + ". It is a part of the Swift toolchain: install one, and say where it is with"
        + " SWIFT_BACKTRACE=swift-backtrace=/usr/libexec/swift/linux/swift-backtrace."
    case .failed(let message):
      "no backtrace: swift-backtrace failed" + (message.isEmpty ? "." : ": \(message)")
    case .changed(let path):
      "no backtrace: \(path) has changed since it was loaded. Run it again."
    case .notLoaded(let message):
      "no backtrace: the plugin does not load without confinement. \(message)"
    case .didNotCrash:
      "the replay did not crash: the crash may depend on confinement, timing or memory."
    case .didNotHang:
      "the replay did not hang: the hang may depend on confinement, timing or memory."
    case .unseen(let ending):
      "no backtrace: the replay \(ending), which Swift's backtracer does not catch."
    }
  }
}
