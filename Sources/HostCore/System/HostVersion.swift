/// The version of vmhost and all its programs. Nothing else says it; packaging reads these lines.
package enum HostVersion {
  package static let number = "0.2.0"
  /// The day of its release, which the manual shows. No clock is read, so that a build is the same
  /// on each day.
  package static let date = "2026-11-22"
}
