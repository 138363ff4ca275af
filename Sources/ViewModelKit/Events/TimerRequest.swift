/// What a timer asks: `{"after":"300ms"}`.
struct TimerRequest: Encodable {
  static let effectName = "timer"
  static let effectBytes = Array(effectName.utf8)

  var after: String

  init(after duration: Duration) { after = TimerRequest.text(duration) }

  /// The longest span that the host can count, in nanoseconds.
  private static let longest = Duration.nanoseconds(Int64.max)

  /// The duration, within what the host can count.
  static func nanoseconds(_ duration: Duration) -> Int64 {
    let parts = min(max(duration, .zero), longest).components
    return parts.seconds * 1_000_000_000 + parts.attoseconds / 1_000_000_000
  }

  /// The duration in its largest whole unit of s, ms, us and ns; finer parts are dropped, and more
  /// than 292 years are 292 years.
  static func text(_ duration: Duration) -> String {
    let parts = min(max(duration, .zero), longest).components
    let billionths = parts.attoseconds / 1_000_000_000
    if billionths == 0 { return "\(parts.seconds)s" }
    for (unit, size) in [("ms", 1_000_000 as Int64), ("us", 1_000)] where billionths % size == 0 {
      let perSecond = 1_000_000_000 / size
      return "\(parts.seconds * perSecond + billionths / size)\(unit)"
    }
    return "\(parts.seconds * 1_000_000_000 + billionths)ns"
  }
}
