/// What a plugin may do in one step before it counts as broken.
package struct StepLimits: Sendable {
  /// Events that one delivered event may cause.
  package var events = 100_000
  /// Bytes of names and values that one delivered event may cause.
  package var bytes = 1 << 28
  /// Time until the plugin is idle again.
  package var time: Nanoseconds = 10_000_000_000

  /// Time until a plugin in a process of its own is loaded and has given its manifest: what the
  /// kernel and the linker take for large libraries on a slow disk is no fault of the plugin.
  package var loadTime: Nanoseconds = 30_000_000_000

  /// The largest `time`, 24 hours, on the command line and for apps. More is no limit, and a sum of
  /// times could be too large for a number.
  package static let maxTime: Nanoseconds = 86_400_000_000_000

  package init() {}
}
