/// What the instances of a plugin hold in the host, together.
final class PluginUsage {
  /// The requests that wait for an answer from outside.
  var openRequests = 0
  /// The timers that wait.
  var timers = 0
  /// The bytes of the latest values of all states.
  var stateBytes = 0
}
