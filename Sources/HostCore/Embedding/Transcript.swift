/// A transcript in a file: a script with what each of its steps is to emit.
///
/// A package's tests play the transcripts of its plugins with it:
///
/// ```swift
/// @Test(arguments: try Transcript.all(in: "Tests/Transcripts"))
/// func `plays as it is written`(transcript: Transcript) async throws {
///   let result = try await transcript.play(with: Host())
///   #expect(result.verdict == .passed, "\(result)")
/// }
/// ```
public struct Transcript: Sendable, Hashable, CustomStringConvertible {
  /// From the present folder, or absolute.
  public let path: String

  /// Names a transcript. Whether there is such a file shows when it is played.
  public init(_ path: String) { self.path = path }

  public var description: String { path }

  /// The transcripts, `*.vmt`, in a folder and those below it, in the order of their names.
  ///
  /// - Throws: a `HostError` of the code `invalid` if the folder can't be read, or has none.
  public static func all(in folder: String) throws(HostError) -> [Transcript] {
    do throws(SessionFailure) {
      let paths = try TranscriptFinder.find([folder])
      guard paths.isEmpty else { return paths.map(Transcript.init) }
    } catch { throw HostError(error) }
    throw HostError(.invalid, "there is no transcript (*.vmt) in \"\(folder)\".")
  }

  /// Plays the transcript from its first line to its last, and compares what each step emits with
  /// its lines.
  ///
  /// Nothing real is touched: time is virtual, the store is in memory, and only the transcript
  /// answers requests. Plugins are found as on the command line, beside the transcript too.
  ///
  /// - Parameters:
  ///   - host: where plugins run, and where they are found.
  ///   - stepTimeout: how long a plugin in a process of its own may take over one event.
  ///   - timeout: how long all of it may take.
  /// - Returns: how it fared. What is wrong with the transcript or its plugin is a part of that.
  /// - Throws: a `HostError` of the code `notLoaded` if the program for confined plugins isn't
  ///   there, `cancelled` if the task was cancelled, `system` if there is no thread to play on.
  public func play(
    with host: Host = Host(), stepTimeout: Duration = .seconds(10),
    timeout: Duration = .seconds(60)
  ) async throws(HostError) -> TranscriptResult {
    let player = TranscriptThread(
      path: path, isolation: try host.isolation.resolved(), pluginPath: host.pluginPath,
      stepTimeout: try StepLimits.time(stepTimeout), timeout: timeout.wholeNanoseconds)
    let result = await withTaskCancellationHandler {
      await withCheckedContinuation {
        (continuation: CheckedContinuation<Result<TranscriptResult, HostError>, Never>) in
        do throws(SystemError) {
          // Playing waits for processes, which no thread of Swift's tasks may do.
          try DetachedThread.start { continuation.resume(returning: .success(player.play())) }
        } catch { continuation.resume(returning: .failure(HostError(error))) }
      }
    } onCancel: {
      player.patience.end()
    }
    guard player.patience.lasts else { throw .waitCancelled }
    return try result.get()
  }
}

/// How a transcript fared.
public struct TranscriptResult: Sendable, CustomStringConvertible {
  public enum Verdict: String, Sendable, CaseIterable {
    /// Each step did what its lines say.
    case passed
    /// The transcript expects nothing, so nothing was compared.
    case unverified
    /// A step did something else, or a request is open at the end.
    case failed
    /// A plugin crashed or broke its contract.
    case crashed
    /// A plugin hung, or all of it took too long.
    case timedOut = "timed-out"
    /// The file can't be read, or a line of it makes no sense.
    case invalid
    /// A plugin could not be loaded.
    case notLoaded = "not-loaded"
  }

  public let transcript: Transcript
  public let verdict: Verdict
  /// How many steps were made.
  public let steps: Int
  /// What is wrong, in the order of the file: the first few. There is at least one unless the
  /// verdict is passed or unverified.
  public let differences: [TranscriptDifference]
  /// How many more there are.
  public let moreDifferences: Int

  /// The verdict, and below it what is wrong, as `vmhost test` shows it.
  public var description: String {
    let more =
      moreDifferences > 0 ? ["… \(Count.of(moreDifferences, "more difference"))"] : []
    let heading = "\(transcript.path): \(verdict.rawValue)"
    return ([heading] + differences.map(\.description) + more).joined(separator: "\n\n")
  }
}

/// One thing that is wrong with a transcript.
public struct TranscriptDifference: Sendable, CustomStringConvertible {
  public let transcript: Transcript
  /// The line in the file where it shows, from 1; 0 if it is about no line.
  public let line: Int
  /// One sentence.
  public let summary: String
  /// The line of the step, from 1; nil where it isn't about what a step emitted.
  public let stepLine: Int?
  /// What the step's lines say that it emits, a canonical line each.
  public let expected: [String]
  /// What it emitted.
  public let found: [String]
  private let details: String

  /// The place and the sentence, and below it the diff.
  public var description: String {
    let place = line > 0 ? "\(transcript.path):\(line)" : transcript.path
    let first = "\(place): \(summary)"
    return details.isEmpty ? first : "\(first)\n\(details)"
  }
}

extension TranscriptDifference {
  init(_ finding: TranscriptFinding, in transcript: Transcript) {
    self.transcript = transcript
    line = finding.line
    summary = finding.summary.terminalSafeLine
    stepLine = finding.difference?.step.line
    expected = finding.difference?.difference.expectedTexts ?? []
    found = finding.difference?.difference.foundTexts ?? []
    details = finding.details(in: transcript.path, style: nil).terminalSafe
  }

  /// What kept the transcript from being played on, whose words may begin with the place.
  init(_ error: TranscriptError, in transcript: Transcript) {
    self.transcript = transcript
    line = error.line
    let (summary, details) = error.parts(in: transcript.path)
    self.summary = summary
    self.details = details
    stepLine = nil
    expected = []
    found = []
  }
}
