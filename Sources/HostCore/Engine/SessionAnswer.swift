/// What a session tells whoever sent it a line, in its place among the events.
package struct SessionAnswer: Sendable {
  package enum Kind: Sendable {
    /// What makes a step, before the events of that step.
    case step(StepRecord)
    /// The line was carried out, and all that it caused has been said. Only a line with a number is
    /// answered so.
    ///
    /// - Parameter step: the number of the session's latest step then, from 1 on; for an input its
    ///   own.
    case done(step: Int)
    /// The line changed nothing.
    ///
    /// - Parameter line: where it stands, if its sender can't tell by `seq`.
    case refused(RefusalCode, message: String, line: SourceLine?)
    /// The line changed nothing, and its sender couldn't know.
    case passedOver(message: String, line: SourceLine)
    /// The latest value of each state.
    ///
    /// - Parameter states: a JSON object in canonical form.
    case frame(handle: String, states: [UInt8])
    /// A view model that can be opened.
    case viewModel(ViewModelManifest, plugin: String)
    /// The session so far, without secrets.
    case transcript([UInt8])
    /// How time passes.
    ///
    /// - Parameters:
    ///   - isPaused: whether it passes only where lines say so.
    ///   - timers: how many timers run.
    ///   - next: when the next of them fires.
    case time(isPaused: Bool, timers: Int, next: Nanoseconds?)
    /// The effects whose requests wait for a line, and those that have a provider.
    case held([String], provided: [String])
    /// The session went to another step, or a plugin was loaded anew.
    case changed(SessionChange)
  }

  /// A place in what a sender has sent.
  package struct SourceLine: Equatable, Sendable {
    /// The number of the line, from 1.
    package let number: Int
    /// The column in characters, from 1; nil if the whole line is meant.
    package let column: Int?

    package init(number: Int, column: Int?) {
      self.number = number
      self.column = column
    }
  }

  /// The number that the sender gave the line.
  package let seq: UInt64?
  /// How many of the session's events come before it.
  package let position: Int
  /// The step of a line that was carried out, unless `other` says something else. There may be one
  /// for each input, and copying and destroying a `Kind` takes longer than all else about it.
  private let step: Int
  private let other: Other?

  private final class Other: Sendable {
    let kind: Kind

    init(_ kind: Kind) { self.kind = kind }
  }

  init(_ kind: Kind, seq: UInt64?, position: Int) {
    self.seq = seq
    self.position = position
    if case .done(let step) = kind {
      self.step = step
      other = nil
    } else {
      step = 0
      other = Other(kind)
    }
  }

  package var kind: Kind { other?.kind ?? .done(step: step) }
  /// The step, if this is the kind `done`.
  var doneStep: Int? { other == nil ? step : nil }
}
