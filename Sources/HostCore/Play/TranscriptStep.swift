/// A step of a transcript: an input, a reply, time that passes, an opening or a closing.
package struct TranscriptStep {
  package enum Action {
    case input(ScriptLine.InputLine)
    case command(ScriptCommand)
  }

  package let action: Action
  /// The line itself, in the form that the offsets in it are for.
  package let text: [UInt8]
  /// The line as the file has it, if that is another form.
  var written: [UInt8]?
  /// Its lines in the file.
  package let numbers: ClosedRange<Int>
  /// The indices of its expected events, among those that were read.
  package var expected: Range<Int>
  /// The lines between it and its expected events. They take effect before the step.
  var before: [Directive] = []
  /// The session's time when it began.
  package var start: Nanoseconds = 0
  /// The number of the instance that an input goes to. The step may close the instance.
  package var instance: Int32?

  /// A line between a step and its expected events.
  struct Directive {
    let command: ScriptCommand
    let text: [UInt8]
    /// Its lines in the file.
    let numbers: ClosedRange<Int>
  }

  /// What is wrong with the step, where it isn't known better.
  var subject: LinePart {
    switch action {
    case .command(.reply), .command(.failure): .id
    case .command, .input: .subject
    }
  }

  /// Appends the step's line in canonical form, without control characters.
  package func append(to bytes: inout [UInt8]) {
    let line: ScriptLine =
      switch action {
      case .input(let input): .input(input)
      case .command(let command): .command(command)
      }
    do throws(ScriptError) {
      try TranscriptWriter.append(line, of: text.span, to: &bytes)
    } catch {
      preconditionFailure("a step was made of a value that is not JSON: \(error.message)")
    }
  }
}

/// Observes a transcript while it is played.
package protocol TranscriptObserver: AnyObject {
  /// Called after each step.
  ///
  /// - Parameter difference: the difference between its lines and what it emitted; nil if there is
  ///   none, or if nothing is compared.
  /// - Returns: true to skip the rest of the transcript.
  func didPlay(_ step: TranscriptStep, _ comparison: StepComparison, _ difference: StepDifference?)
    -> Bool

  /// Called for each step that could not be played, instead of `didPlay`, or after it if the step
  /// was aborted.
  ///
  /// - Returns: true to skip the rest of the transcript.
  func didSkip(_ step: TranscriptStep, _ unplayed: UnplayedStep) -> Bool

  /// Called at the end for each request that is still open.
  ///
  /// - Parameter line: the line of the request.
  func didLeave(_ message: String, line: Int)
}
