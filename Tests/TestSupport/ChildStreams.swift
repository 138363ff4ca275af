import Glibc

/// The three standard streams of a child: one thread drains both outputs and feeds given input.
final class ChildStreams: Sendable {
  /// The ends of the pipes: the child's, and ours.
  struct Pipes {
    var childInput: Descriptor
    var input: Descriptor?
    let childOutput: Descriptor
    let output: Descriptor
    let childError: Descriptor
    let error: Descriptor

    init(input kind: ChildProcess.Input) throws {
      if case .null = kind {
        childInput = try Descriptor(unsafe open("/dev/null", O_RDONLY | O_CLOEXEC), "/dev/null")
      } else {
        let (reading, writing) = try Descriptor.pipe()
        try writing.setNonBlocking()
        (childInput, input) = (reading, writing)
      }
      (output, childOutput) = try Descriptor.pipe()
      (error, childError) = try Descriptor.pipe()
    }
  }

  private struct State {
    var stdout: [UInt8] = []
    var stderr: [UInt8] = []
    var linesTaken = 0
    var openOutput: Descriptor?
    var openError: Descriptor?
    /// Where the thread writes what is pending; closed when all is written.
    var openInput: Descriptor?
    var pending: ArraySlice<UInt8> = []
  }

  private let state: Monitor<State>
  private let input: Monitor<Descriptor?>
  private let stopSignal: Gate
  private let pump: JoinableThread

  init(_ pipes: Pipes, input kind: ChildProcess.Input) throws {
    _ = brokenPipesAreErrors
    var pending: [UInt8]?
    switch kind {
    case .bytes(let bytes): pending = bytes
    case .text(let text): pending = Array(text.utf8)
    case .null, .pipe: break
    }
    let state = Monitor(
      State(
        openOutput: pipes.output, openError: pipes.error,
        openInput: pending == nil ? nil : pipes.input, pending: (pending ?? [])[...]))
    let stopSignal = try Gate()
    self.state = state
    self.stopSignal = stopSignal
    input = Monitor(pending == nil ? pipes.input : nil)
    pump = try JoinableThread { Self.run(state, until: stopSignal) }
  }

  var stdout: [UInt8] { state.withLock { $0.stdout } }
  var stderr: [UInt8] { state.withLock { $0.stderr } }

  func write(_ bytes: [UInt8], to name: String, within limit: Duration) throws {
    guard let descriptor = input.withLock({ $0 }) else {
      throw TestSupportError("The standard input of \(name) is not an open pipe.")
    }
    let deadline = ContinuousClock.now + limit
    var rest = bytes[...]
    while !rest.isEmpty {
      if let count = descriptor.write(rest) {
        rest = rest.dropFirst(count)
      } else if errno != EAGAIN {
        throw TestSupportError("Could not write to \(name): \(errorText(errno)).")
      } else if pollDescriptors([(descriptor, POLLOUT)], within: deadline - .now) == [0] {
        throw TestSupportError("\(name) did not read its standard input within \(limit).")
      }
    }
  }

  func closeInput() {
    input.withLock { $0 = nil }
  }

  /// The next line; nil inside when the stream has ended, nil outside when the limit has passed.
  func nextLine(within limit: Duration) -> [UInt8]?? {
    state.wait(within: limit) { state -> [UInt8]?? in
      let rest = state.stdout[state.linesTaken...]
      if let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
        state.linesTaken = end + 1
        return .some(.some(Array(rest[..<end])))
      }
      guard state.openOutput == nil else { return nil }
      state.linesTaken = state.stdout.count
      return .some(rest.isEmpty ? nil : Array(rest))
    }
  }

  func waitForStderr(containing text: String, within limit: Duration) -> Bool {
    state.wait(within: limit) { state -> Bool? in
      if String(decoding: state.stderr, as: UTF8.self).contains(text) { return true }
      return state.openError == nil ? false : nil
    } ?? false
  }

  func waitUntilDrained(within limit: Duration) -> Bool {
    state.wait(within: limit) { $0.openOutput == nil && $0.openError == nil ? true : nil } ?? false
  }

  /// Ends the thread and closes our ends. To be called once.
  func stop() {
    stopSignal.open()
    pump.join()
    closeInput()
    state.withLock { ($0.openOutput, $0.openError) = (nil, nil) }
  }

  private static func run(_ state: Monitor<State>, until stopSignal: Gate) {
    while true {
      // Not the whole state: a second copy of the arrays would make each append below copy them.
      let (output, error, input) = state.withLock { state in
        if state.pending.isEmpty { state.openInput = nil }
        return (state.openOutput, state.openError, state.openInput)
      }
      if output == nil && error == nil && input == nil { return }
      let ready = pollDescriptors([
        (output, POLLIN), (error, POLLIN), (input, POLLOUT), (stopSignal.descriptor, POLLIN),
      ])
      if ready[0] != 0, let output {
        take(output, into: \.stdout, closing: \.openOutput, of: state)
      }
      if ready[1] != 0, let error {
        take(error, into: \.stderr, closing: \.openError, of: state)
      }
      if ready[2] != 0, let input {
        // A child that doesn't want the rest of its input has closed it; that is its right.
        state.withLock { $0.pending = $0.pending.dropFirst(input.write($0.pending) ?? .max) }
      }
      if ready[3] != 0 && ready[0] == 0 && ready[1] == 0 { return }
    }
  }

  private static func take(
    _ descriptor: Descriptor, into bytes: WritableKeyPath<State, [UInt8]>,
    closing open: WritableKeyPath<State, Descriptor?>, of state: Monitor<State>
  ) {
    let read = descriptor.read(atMost: 65_536) ?? []
    state.withLock { state in
      state[keyPath: bytes] += read
      if read.isEmpty { state[keyPath: open] = nil }
    }
  }
}

/// A write to a dead child must be an error here, not the end of all tests. Children get the
/// default back when they are started.
private let brokenPipesAreErrors: Void = {
  _ = signal(SIGPIPE, SIG_IGN)
}()
