import HostCore

/// Why a transcript can't be played on.
struct TranscriptFailure: Error {
  let verdict: Verdict
  let outcome: Outcome
  /// In words, with the place.
  let message: String
  let line: Int
}

extension TranscriptFailure {
  /// The failure of a line, which is shown where it is what has to be changed.
  ///
  /// - Parameter subject: where in the line the mark is, unless the error says that itself.
  init(_ error: any Error, in path: String, at line: Int, _ text: [UInt8], subject: Int) {
    if let error = error as? FlowError {
      self.init(verdict: .invalid, outcome: .usage, message: error.description, line: line)
      return
    }
    let scriptError = error as? ScriptError
    let failure = scriptError.map { Failure(.usage, $0.message) } ?? Failure(error)
    let verdict: Verdict =
      switch failure.outcome {
      case .notLoaded: .notLoaded
      case .brokenPlugin: .crashed
      default: .invalid
      }
    let message =
      failure.outcome == .usage
      ? (scriptError ?? ScriptError(failure.message, at: subject))
        .report(source: path, number: line, line: text.span)
      : "\(path):\(line): \(failure.message)"
    self.init(verdict: verdict, outcome: failure.outcome, message: message, line: line)
  }

  init(_ misspelling: StepComparison.Misspelling, in reader: TranscriptReader) {
    let line = misspelling.line
    let report: String? = reader.lineAgain(line) { read, bytes in
      guard case .expectation(let expectation) = read else { return nil }
      let part = misspelling.isHandle ? expectation.handle : expectation.name
      return ScriptError(misspelling.words, at: part.lowerBound)
        .report(source: reader.path, number: line, line: bytes)
    }
    let message = report ?? "\(reader.path):\(line): \(misspelling.words)"
    self.init(verdict: .invalid, outcome: .usage, message: message, line: line)
  }
}
