import HostCore

/// The outcome of a command, with its exit status. This is the only table of statuses.
enum Outcome: Equatable {
  case success
  /// A step of the session failed (the plugin's code threw an error, or the flow could not go on),
  /// or a test failed.
  case failed
  case usage
  case notLoaded
  case nothingToTest
  case nondeterministic
  case brokenPlugin
  case internalError
  /// The output can't be written, as on a full disk.
  case outputLost
  /// A signal ended the session. The program ends by the same signal, so that a shell sees it.
  case signal(Int32)

  var status: Int32 {
    switch self {
    case .success: 0
    case .failed: 1
    case .usage: 2
    case .notLoaded: 3
    case .nothingToTest: 4
    case .nondeterministic: 5
    case .brokenPlugin: 6
    case .internalError: 70
    case .outputLost: 74
    case .signal(let number): 128 + number
    }
  }

  /// The outcomes with a status of their own.
  static let documented: [Outcome] = [
    .success, .failed, .usage, .notLoaded, .nothingToTest, .nondeterministic, .brokenPlugin,
    .internalError, .outputLost,
  ]

  /// What it means, for the manual.
  var meaning: String {
    switch self {
    case .success: "Nothing is wrong."
    case .failed: "The answer is no: a step or a test failed, or a threshold was missed."
    case .usage: "The command line is wrong, or a line of a script."
    case .notLoaded:
      "A plugin can't be loaded, or is not the one that the lock or the store belongs to."
    case .nothingToTest: "There is nothing to test."
    case .nondeterministic: "A transcript is nondeterministic."
    case .brokenPlugin: "A plugin crashed, hung or broke its contract."
    case .internalError: "There is a bug in vmhost."
    case .outputLost: "The output, or the recording, can't be written."
    case .signal: "Signal n ended vmhost, such as 2 for Ctrl-C."
    }
  }
}

extension [Outcome] {
  /// The failure to fix first.
  var worst: Outcome {
    let order: [Outcome] = [.usage, .notLoaded, .brokenPlugin, .nondeterministic, .failed]
    return first { $0 != .success && !order.contains($0) } ?? order.first(where: contains)
      ?? .success
  }
}

/// The error that stops a command: its outcome, and a message for the user.
struct Failure: Error {
  let outcome: Outcome
  let message: String

  init(_ outcome: Outcome, _ message: String) {
    self.outcome = outcome
    self.message = message
  }

  init(_ failure: SessionFailure) {
    switch failure.kind {
    case .invalid, .refused, .endless, .storage: self.init(.usage, failure.description)
    case .notLoaded: self.init(.notLoaded, failure.description)
    case .brokenPlugin, .brokenWhileLoading: self.init(.brokenPlugin, failure.description)
    case .recording: self.init(.outputLost, failure.description)
    case .system(let error): self.init(error)
    case .unknown: self.init(.internalError, "this is a bug in vmhost: \(failure.description)")
    }
  }

  init(_ error: SystemError) {
    switch error.call {
    case "write" where error.isBrokenPipe: self.init(.signal(Exit.brokenPipe), "")
    case "write": self.init(.outputLost, "could not write the output: \(error.reason).")
    case "read": self.init(.usage, "could not read the input: \(error.reason).")
    default: self.init(.internalError, "a system call failed: \(error).")
    }
  }

  /// Converts any error that a part of a command throws.
  init(_ error: any Error) {
    switch error {
    case let error as Failure: self = error
    case let error as UsageError: self.init(.usage, error.description)
    // Of all errors that stop a transcript, only a failure has no kind of its own.
    case let error as TranscriptError where error.verdict == .failed:
      self.init(.failed, error.message)
    case let error as TerminalError: self.init(.internalError, error.description)
    default: self.init(SessionFailure(error))
    }
  }
}
