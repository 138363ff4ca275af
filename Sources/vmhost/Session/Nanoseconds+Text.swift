import HostCore

extension Nanoseconds {
  /// Seconds with three decimals, as in `0.250s`.
  var secondsText: String {
    let (milliseconds, half) = (self / 1_000_000, self % 1_000_000 >= 500_000)
    let rounded = milliseconds + (half ? 1 : 0)
    let decimals = String(rounded % 1_000)
    return "\(rounded / 1_000)." + String(repeating: "0", count: 3 - decimals.count)
      + "\(decimals)s"
  }
}
