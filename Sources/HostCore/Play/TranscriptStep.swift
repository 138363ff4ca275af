/// Something that a transcript does: an input, a reply, time that passes, an opening, a closing.
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
  /// The lines that say what it emits, among the expected events that are at hand.
  package var expected: Range<Int>
  /// What stands between it and those: it takes effect before the step.
  var before: [Directive] = []
  /// The session's time when it began.
  package var start: Nanoseconds = 0
  /// The number of the instance that an input goes to, which the step may close.
  package var instance: Int32?

  /// A line that stands between a step and what it emits.
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

  /// Appends the step's line in canonical form, in which nothing steers a terminal.
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

/// Sees what comes of a transcript while it is played.
package protocol TranscriptObserver: AnyObject {
  /// A step was made.
  ///
  /// - Parameter difference: how what it emitted differs from its lines; nil if it doesn't, or if
  ///   nothing is compared.
  /// - Returns: whether that is enough: the rest isn't played.
  func didPlay(_ step: TranscriptStep, _ comparison: StepComparison, _ difference: StepDifference?)
    -> Bool

  /// The end was reached, and a request is still open.
  ///
  /// - Parameter line: where it was made.
  func didLeave(_ message: String, line: Int)
}
