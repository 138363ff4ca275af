extension Duration {
  /// The duration in whole nanoseconds, clamped to what 64 bits can hold.
  var wholeNanoseconds: Nanoseconds {
    let (seconds, fraction) = components
    let (scaled, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    let (sum, carried) = scaled.addingReportingOverflow(fraction / 1_000_000_000)
    guard overflow || carried else { return sum }
    return seconds < 0 ? .min : .max
  }
}
