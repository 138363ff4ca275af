import HostCore

/// Watches for a signal that ends the session.
final class SignalWatch {
  private let signals: Signals
  private(set) var number: Int32?

  init() throws(SystemError) { signals = try Signals.forward() }

  var interest: Descriptor.Interest { signals.interest }

  /// Whether a signal has come. It doesn't wait.
  var hasCome: Bool {
    if number == nil { number = signals.received() }
    return number != nil
  }
}
