import Basics

/// The request of a timer: `{"after":"300ms"}`.
struct TimerRequest: Encodable {
  static let effectName = "timer"
  static let effectBytes = Array(effectName.utf8)

  var after: String

  init(after duration: Duration) { after = TimerRequest.text(duration) }

  /// What the host can count in nanoseconds: 292 years.
  private static let maxDuration = Duration.nanoseconds(Int64.max)

  /// The duration in nanoseconds, from zero to `maxDuration`.
  static func nanoseconds(_ duration: Duration) -> Int64 {
    let parts = min(max(duration, .zero), maxDuration).components
    return parts.seconds * 1_000_000_000 + parts.attoseconds / 1_000_000_000
  }

  /// The duration in the largest of s, ms, us and ns that keeps it whole, up to `maxDuration`.
  /// Fractions of a nanosecond are dropped.
  static func text(_ duration: Duration) -> String {
    TimeSpan.text(nanoseconds(duration), maxUnit: TimeSpan.second)
  }
}
