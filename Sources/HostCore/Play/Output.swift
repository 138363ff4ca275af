import Synchronization

/// Standard output, collected into large writes, with secrets and hidden characters replaced.
///
/// If the session hangs, a watchdog on another thread can flush what it has printed.
package final class Output: Sendable {
  /// How many bytes are collected before they are written.
  private static let flushSize = 1 << 16

  private struct State: Sendable {
    /// Where the bytes are written; nil to keep everything for `take`, or for later.
    var descriptor: Int32?
    var bytes: [UInt8] = []
    var failure: SystemError?
  }

  private let secrets: Secrets
  /// What people see of the bytes; nil if only programs read them.
  private let shown: ShownText?
  private let state: Mutex<State>

  /// - Parameter isForPrograms: whether programs read the output, which get the exact bytes. A
  ///   terminal never does.
  package init(
    descriptor: Int32? = Descriptor.standardOutput, secrets: Secrets = Secrets(),
    isForPrograms: Bool = false
  ) {
    state = Mutex(State(descriptor: descriptor))
    self.secrets = secrets
    let isTerminal = descriptor.map(Descriptor.isTerminal) ?? true
    shown = isTerminal ? .colouredValues : isForPrograms ? nil : .values
  }

  /// Makes an output for programs that is kept until there is somewhere to write it.
  package init(forLater secrets: Secrets) {
    state = Mutex(State())
    self.secrets = secrets
    shown = nil
  }

  /// Writes to a descriptor from now on.
  package func begin(on descriptor: Int32) { state.withLock { $0.descriptor = descriptor } }

  /// Adds the bytes that `append` appends, with secrets and hidden characters replaced.
  package func write(_ append: (inout [UInt8]) -> Void) {
    state.withLock { state in
      let start = state.bytes.count
      append(&state.bytes)
      if !secrets.isEmpty { secrets.redact(&state.bytes, from: start) }
      shown?.apply(to: &state.bytes, from: start)
      if state.bytes.count >= Self.flushSize { flush(&state) }
    }
  }

  /// Returns the collected bytes, and removes them.
  package func take() -> [UInt8] {
    state.withLock { state in
      defer { state.bytes = [] }
      return state.bytes
    }
  }

  /// Writes the collected bytes.
  ///
  /// - Throws: the first error of any write so far.
  package func flush() throws(SystemError) {
    let failure = state.withLock { state in
      flush(&state)
      return state.failure
    }
    if let failure { throw failure }
  }

  private func flush(_ state: inout State) {
    guard !state.bytes.isEmpty, let descriptor = state.descriptor else { return }
    // After a failed write, everything else is dropped.
    if state.failure == nil {
      do throws(SystemError) {
        try Descriptor.write(descriptor, state.bytes.span)
      } catch { state.failure = error }
    }
    state.bytes.removeAll(keepingCapacity: state.bytes.capacity <= 1 << 20)
  }
}
