/// The error that stopped a session or kept it from beginning, whichever part threw it.
package struct SessionFailure: Error, Equatable, Sendable, CustomStringConvertible {
  package enum Kind: Equatable, Sendable {
    /// The request makes no sense: an unknown name, a value that doesn't fit, a bad file.
    case invalid
    /// The plugin refused what it was given, or its schema does.
    case refused
    /// Timers repeat for ever, or an answer doesn't come.
    case endless
    /// The plugin, or the process for it, could not be started.
    case notLoaded
    /// The plugin crashed or hung while it was loaded.
    case brokenWhileLoading
    /// The plugin crashed, hung or broke its contract.
    case brokenPlugin
    /// The recording could not be written.
    case recording
    /// The store could not be opened.
    case storage
    case system(SystemError)
    /// An error that no part of a session is known to throw.
    case unknown

    /// Whether the caller made a mistake that it can correct.
    package var isMistake: Bool {
      switch self {
      case .invalid, .refused, .endless, .storage: true
      case .notLoaded, .brokenWhileLoading, .brokenPlugin, .recording, .system, .unknown: false
      }
    }
  }

  package let kind: Kind
  /// One or two sentences, for people.
  package let description: String
  /// Why the line that the error is about is refused; nil for an error that ends any session.
  package let refusal: RefusalCode?
  /// Whether the caller couldn't know: what it names has just closed, or was cancelled.
  package private(set) var isRace = false

  package init(_ kind: Kind, _ description: String, _ refusal: RefusalCode? = nil) {
    self.kind = kind
    self.description = description
    self.refusal = refusal
  }

  /// Classifies any error that a part of a session throws.
  package init(_ error: any Error) {
    switch error {
    case let error as SessionFailure: self = error
    case let error as SessionError:
      self.init(error)
    case let endless as Endless:
      self.init(.endless, endless.description, .endless)
    case let error as TranscriptError: self.init(error.kind, error.message)
    case let error as ScriptError:
      self.init(.invalid, error.message, error.code)
      isRace = error.isRace
    case let error as FlowError: self.init(.invalid, error.description, .notLoaded)
    case let error as StorageError: self.init(.storage, error.description)
    case let error as SystemError: self.init(.system(error), "a system call failed: \(error).")
    case let error as PluginLoadError:
      if case .workerEnded = error.reason {
        self.init(.brokenWhileLoading, error.description, .notLoaded)
      } else {
        self.init(.notLoaded, error.description, .notLoaded)
      }
    default: self.init(.unknown, "\(error)")
    }
  }
}

extension SessionFailure {
  private init(_ error: SessionError) {
    let kind: Kind =
      switch error.code {
      case .mistake: .invalid
      case .refused: .refused
      case .contract: .brokenPlugin
      case .recording: .recording
      }
    self.init(kind, error.description, error.refusal)
    isRace = error.isRace
  }
}
