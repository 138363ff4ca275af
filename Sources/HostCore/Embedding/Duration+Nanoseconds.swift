extension Duration {
  /// The duration in whole nanoseconds, or the longest that there is if it is longer.
  var wholeNanoseconds: Nanoseconds {
    let (seconds, fraction) = components
    let (scaled, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    let (sum, carried) = scaled.addingReportingOverflow(fraction / 1_000_000_000)
    guard overflow || carried else { return sum }
    return seconds < 0 ? .min : .max
  }
}
