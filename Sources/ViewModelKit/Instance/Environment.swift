/// What the host says about the session when it makes an instance.
struct Environment: Sendable {
  var locale: String
  var timeZone: String
  var seed: UInt64
  /// Nanoseconds since 1970-01-01T00:00:00Z.
  var epoch: Int64
  /// Nanoseconds since the session began.
  var now: Int64
}
