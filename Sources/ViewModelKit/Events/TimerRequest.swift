import Basics

/// What a timer asks: `{"after":"300ms"}`.
struct TimerRequest: Encodable {
  static let effectName = "timer"
  static let effectBytes = Array(effectName.utf8)

  var after: String

  init(after duration: Duration) { after = TimerRequest.text(duration) }

  /// The longest span that the host can count, in nanoseconds.
  private static let maxDuration = Duration.nanoseconds(Int64.max)

  /// The duration, within what the host can count.
  static func nanoseconds(_ duration: Duration) -> Int64 {
    let parts = min(max(duration, .zero), maxDuration).components
    return parts.seconds * 1_000_000_000 + parts.attoseconds / 1_000_000_000
  }

  /// The duration in its largest whole unit of s, ms, us and ns; finer parts are dropped, and more
  /// than 292 years are 292 years.
  static func text(_ duration: Duration) -> String {
    TimeSpan.text(nanoseconds(duration), maxUnit: TimeSpan.second)
  }
}
