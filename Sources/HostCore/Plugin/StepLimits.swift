/// Limits on one step. A plugin that exceeds one counts as broken.
package struct StepLimits: Sendable {
  /// The number of events that one delivered event may cause.
  package var events = 100_000
  /// The bytes of names and values that one delivered event may cause.
  package var bytes = 1 << 28
  /// The time until the plugin is idle again.
  package var time: Nanoseconds = 10_000_000_000

  /// The time until a plugin in a process of its own is loaded and has given its manifest. It is
  /// longer, since a slow disk and large libraries are no fault of the plugin.
  package var loadTime: Nanoseconds = 30_000_000_000

  /// The largest `time` that the command line and apps may set: 24 hours. A longer one would be no
  /// real limit, and sums of times could overflow.
  package static let maxTime: Nanoseconds = 86_400_000_000_000

  package init() {}
}
