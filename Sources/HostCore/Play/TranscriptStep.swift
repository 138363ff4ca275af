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

  /// What becomes of a reply whose request is another one now; nil for any other step.
  var rerouting: Rerouting?

  /// The place of a reply that follows its request.
  struct Rerouting {
    /// The number of the request now.
    let id: UInt64
    /// The line of the step that makes the request.
    let requestStep: Int
    /// The line behind which the reply stands now; nil if it stays where it is.
    var anchor: Int?
  }

  /// The last of its lines in the file, its expected events included.
  func lastLine(_ expected: ExpectedEvents) -> Int {
    let events = expected.lines[self.expected].last?.numbers.upperBound
    return max(numbers.upperBound, before.last?.numbers.upperBound ?? 0, events ?? 0)
  }

  /// The numbers of all its lines in the file.
  func allLines(_ expected: ExpectedEvents) -> Set<Int> {
    Set(numbers).union(before.flatMap(\.numbers))
      .union(expected.lines[self.expected].flatMap(\.numbers))
  }

  /// Checks what is only found out when a value is rewritten, such as a key that appears twice.
  func checkValue() throws(ScriptError) {
    guard case .input(let input) = action, !input.valueIsCanonical else { return }
    _ = try TextLineParser.canonicalValue(of: text.span, input.value)
  }

  /// The line with another number of its request.
  func text(answering id: UInt64) -> [UInt8] {
    for line in [written ?? text, text] {
      guard let start = LinePart.id.offset(in: line.span) else { continue }
      let end = line[start...].firstIndex { !(0x30...0x39 ~= $0) } ?? line.count
      return line[..<start] + Array("\(id)".utf8) + line[end...]
    }
    return text
  }

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

/// A request that is still open at the end.
package struct LeftRequest: Sendable {
  package let handle: String
  package let id: UInt64
  /// The request as a line calls it, with the handle if that is needed.
  package let name: String
  /// The line of the request.
  package let line: Int
  package let message: String
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
  func didLeave(_ request: LeftRequest)

  /// Called at the end, after all instances were ended. What plugins printed then is among the
  /// session's events.
  func didEnd(_ session: SessionEngine)
}

extension TranscriptObserver {
  package func didEnd(_ session: SessionEngine) {}
}
