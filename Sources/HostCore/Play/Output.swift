import Synchronization

/// Standard out, gathered into large writes, with secrets replaced.
///
/// A watchdog on another thread can flush what the session had printed when it got stuck.
package final class Output: Sendable {
  /// More than this is written at once.
  private static let flushSize = 1 << 16

  private struct State: Sendable {
    var bytes: [UInt8] = []
    var failure: SystemError?
  }

  /// Nil: everything waits for `take`.
  private let descriptor: Int32?
  private let secrets: Secrets
  private let state = Mutex(State())

  package init(descriptor: Int32? = Descriptor.standardOutput, secrets: Secrets = Secrets()) {
    self.descriptor = descriptor
    self.secrets = secrets
  }

  /// Adds what `append` appends to the bytes it is given, secrets replaced.
  package func write(_ append: (inout [UInt8]) -> Void) {
    state.withLock { state in
      let start = state.bytes.count
      append(&state.bytes)
      if !secrets.isEmpty { secrets.redact(&state.bytes, from: start) }
      if state.bytes.count >= Self.flushSize { flush(&state) }
    }
  }

  /// Takes what was gathered, for somebody else to show.
  package func take() -> [UInt8] {
    state.withLock { state in
      defer { state.bytes = [] }
      return state.bytes
    }
  }

  /// Writes out what was gathered.
  ///
  /// - Throws: the first failure there was, also that of an earlier write.
  package func flush() throws(SystemError) {
    let failure = state.withLock { state in
      flush(&state)
      return state.failure
    }
    if let failure { throw failure }
  }

  private func flush(_ state: inout State) {
    guard !state.bytes.isEmpty, let descriptor else { return }
    // Once a write failed, what follows has nowhere to go.
    if state.failure == nil {
      do throws(SystemError) {
        try Descriptor.write(descriptor, state.bytes.span)
      } catch { state.failure = error }
    }
    state.bytes.removeAll(keepingCapacity: state.bytes.capacity <= 1 << 20)
  }
}
