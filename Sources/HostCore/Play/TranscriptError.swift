/// The result of a transcript.
package enum Verdict: String, Sendable, CaseIterable {
  case passed, unverified, skipped, failed, crashed
  case timedOut = "timed-out"
  case nondeterministic, invalid
  case notLoaded = "not-loaded"

  /// Whether the plugin's process can't be used for another transcript.
  package var breaksWorker: Bool {
    switch self {
    case .passed, .unverified, .skipped, .failed, .invalid, .nondeterministic: false
    case .crashed, .timedOut, .notLoaded: true
    }
  }

  /// Whether the transcript was played to its end.
  package var isEnd: Bool { self == .passed || self == .unverified || self == .failed }

  /// Whether what plugins logged and printed may say why it came to this.
  package var isExplainedByLogs: Bool {
    switch self {
    case .failed, .crashed, .timedOut: true
    case .passed, .unverified, .nondeterministic, .invalid, .notLoaded, .skipped: false
    }
  }
}

/// The error that stops a transcript.
package struct TranscriptError: Error, Equatable, Sendable {
  package let verdict: Verdict
  package let kind: SessionFailure.Kind
  /// A message with the path and the line.
  package let message: String
  /// The line, counted from 1; 0 if the error belongs to no line.
  package let line: Int

  package init(verdict: Verdict, kind: SessionFailure.Kind, message: String, line: Int = 0) {
    self.verdict = verdict
    self.kind = kind
    self.message = message
    self.line = line
  }

  /// The error of a file that isn't a valid transcript.
  package init(invalid message: String, line: Int = 0) {
    self.init(verdict: .invalid, kind: .invalid, message: message, line: line)
  }

  /// The error of a line. The message shows the line if it is the line that has to be changed.
  ///
  /// - Parameter subject: the part of the line that the mark is at, unless the error has an offset
  ///   itself; nil for its beginning.
  init(_ error: any Error, in path: String, at line: Int, _ text: [UInt8], subject: LinePart?) {
    let failure = SessionFailure(error)
    let verdict: Verdict =
      switch failure.kind {
      case .notLoaded: .notLoaded
      case .brokenPlugin, .brokenWhileLoading: .crashed
      // Another plugin could do what the line says, or fit the flow.
      case .refused, .endless: .failed
      case .invalid: (error as? FlowError)?.isMisfit == true ? .failed : .invalid
      case .storage, .recording, .system, .unknown: .invalid
      }
    let message =
      if error is FlowError {
        failure.description
      } else if failure.kind.isMistake {
        (error as? ScriptError ?? subject.map { ScriptError(failure.description, at: $0) }
          ?? ScriptError(failure.description, at: 0))
          .report(source: path, number: line, line: text.span)
      } else {
        "\(path):\(line): \(failure.description)"
      }
    self.init(verdict: verdict, kind: failure.kind, message: message, line: line)
  }

  /// Converts any error that kept a transcript from being played to its end.
  ///
  /// - Parameter hasHung: whether a plugin was ended because it hung.
  package init(_ error: any Error, in path: String, hasHung: Bool) {
    if let error = error as? TranscriptError {
      self = error
    } else {
      let failure = SessionFailure(error)
      self.init(
        verdict: failure.kind == .notLoaded ? .notLoaded : .crashed, kind: failure.kind,
        message: "\(path): \(failure.description)")
    }
    if verdict == .crashed && hasHung {
      self.init(verdict: .timedOut, kind: kind, message: message, line: line)
    }
  }

  /// The message without its path and line, divided into the first sentence and the rest.
  ///
  /// - Parameter hasLogs: whether all logs are shown beside it. Then the plugin's last lines are
  ///   left out.
  package func parts(in path: String, hasLogs: Bool = false) -> (summary: String, details: String) {
    let lines = message.split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false)
    var summary = String(lines[0])
    let prefix = "\(path):"
    if summary.hasPrefix(prefix) {
      summary.removeFirst(prefix.count)
      summary = String(summary.drop { $0.isNumber || $0 == ":" || $0 == " " })
    }
    let rest = lines.count > 1 ? String(lines[1].drop { $0.isNewline }) : ""
    return (summary, hasLogs && rest.hasPrefix(RecentLines.heading) ? "" : rest)
  }

  init(_ unknown: StepComparison.UnknownName, in reader: TranscriptReader) {
    let line = unknown.line
    let report: String? = reader.lineAgain(line) { read, bytes in
      guard case .expectation(let expectation) = read else { return nil }
      let part = unknown.part == .handle ? expectation.handle : expectation.name
      // A cancel names no port, but has an id.
      let error =
        part.isEmpty
        ? ScriptError(unknown.message, at: .id)
        : ScriptError(unknown.message, at: part.lowerBound)
      return error.report(source: reader.path, number: line, line: bytes)
    }
    self.init(invalid: report ?? "\(reader.path):\(line): \(unknown.message)", line: line)
  }
}
