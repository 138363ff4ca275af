/// A transcript in a file: a script with the expected output of each step.
///
/// The tests of a package play the transcripts of its plugins like this:
///
/// ```swift
/// @Test(arguments: try Transcript.all(in: "Tests/Transcripts"))
/// func `plays as it is written`(transcript: Transcript) async throws {
///   let result = try await transcript.play(with: Host())
///   #expect(result.verdict == .passed, "\(result)")
/// }
/// ```
public struct Transcript: Sendable, Hashable, CustomStringConvertible {
  /// The path of the file, absolute or relative to the current folder.
  public let path: String

  /// Names a transcript. The file is not opened before the transcript is played.
  public init(_ path: String) { self.path = path }

  /// The path of the file.
  public var description: String { path }

  /// Returns the transcripts (`*.vmt`) in a folder and its subfolders, sorted by path.
  ///
  /// - Throws: a `HostError` with the code `invalid` if the folder can't be read, or if it has no
  ///   transcripts.
  public static func all(in folder: String) throws(HostError) -> [Transcript] {
    do throws(SessionFailure) {
      let paths = try TranscriptFinder.find([folder])
      guard paths.isEmpty else { return paths.map(Transcript.init) }
    } catch { throw HostError(error) }
    throw HostError(.invalid, "there is no transcript (*.vmt) in \"\(folder)\".")
  }

  /// Plays the whole transcript, and compares the output of each step with its lines.
  ///
  /// Nothing outside is touched: time is virtual, the store is in memory, and only the transcript
  /// answers requests. Plugins are searched for as on the command line, and in the transcript's
  /// folder.
  ///
  /// - Parameters:
  ///   - host: where plugins are found, and in which processes they run.
  ///   - stepTimeout: how long a plugin in a process of its own may take for one event. It must be
  ///     positive.
  ///   - limits: what plugins may cost the host. Each must be positive.
  ///   - timeout: how long the whole transcript may take.
  /// - Returns: the result. Mistakes in the transcript and failures of the plugin are part of it;
  ///   they don't throw.
  /// - Throws: a `HostError`:
  ///   - `invalid` if `stepTimeout` or a limit isn't positive, or if the host allows plugins less
  ///     than 16 MiB;
  ///   - `notLoaded` if the program for confined plugins isn't found;
  ///   - `cancelled` if the task is cancelled meanwhile;
  ///   - `system` if the system refuses a thread.
  public func play(
    with host: Host = Host(), stepTimeout: Duration = .seconds(10),
    limits: StepLimits = StepLimits(), timeout: Duration = .seconds(60)
  ) async throws(HostError) -> TranscriptResult {
    let player = TranscriptThread(
      path: path, isolation: try host.isolation.resolved(), pluginPath: host.pluginPath,
      lock: try host.pluginLock(), limits: try limits.checked(stepTimeout),
      timeout: timeout.wholeNanoseconds)
    let result = await withTaskCancellationHandler {
      await withCheckedContinuation {
        (continuation: CheckedContinuation<Result<TranscriptResult, HostError>, Never>) in
        do throws(SystemError) {
          // Playing waits for processes, which must not block a thread of Swift's tasks.
          try DetachedThread.start { continuation.resume(returning: .success(player.play())) }
        } catch { continuation.resume(returning: .failure(HostError(error))) }
      }
    } onCancel: {
      player.cancellation.cancel()
    }
    guard !player.cancellation.isCancelled else { throw .waitCancelled }
    return try result.get()
  }
}

/// The result of playing a transcript.
public struct TranscriptResult: Sendable, CustomStringConvertible {
  /// Whether a transcript passed, or why it didn't.
  public enum Verdict: String, Sendable, CaseIterable {
    /// Each step emitted what its lines say.
    case passed
    /// The transcript has no expectations, so nothing was compared.
    case unverified
    /// The transcript says `@skip`, so it was read but not played.
    case skipped
    /// A plugin did something else than the lines say, or doesn't have what they name, or a request
    /// is still open at the end.
    case failed
    /// A plugin crashed or broke its contract.
    case crashed
    /// A plugin hung, or the whole transcript took too long.
    case timedOut = "timed-out"
    /// The file can't be read, or has a line that no plugin could make right.
    case invalid
    /// A plugin could not be loaded.
    case notLoaded = "not-loaded"
  }

  /// The transcript that was played.
  public let transcript: Transcript
  /// Whether the transcript passed, or why it didn't.
  public let verdict: Verdict
  /// The reason that the transcript gives for not being played; nil unless the verdict is
  /// `skipped`.
  public let skipReason: String?
  /// The number of steps, those that were skipped included.
  public let steps: Int
  /// The number of steps that could not be played, such as the reply to a request that the plugin
  /// didn't make.
  public let skippedSteps: Int
  /// The first few differences and mistakes, in the order of the file. There is at least one unless
  /// the verdict is `passed`, `unverified` or `skipped`.
  public let differences: [TranscriptDifference]
  /// The number of differences that are left out of `differences`.
  public let moreDifferences: Int
  /// The last lines that plugins logged and printed up to the first difference, below their steps.
  /// It is empty if there are none, or nothing is wrong.
  public let logs: String

  /// The verdict, followed by the differences and logs, as `vmhost test` shows them.
  public var description: String {
    let more =
      moreDifferences > 0 ? ["… \(Count.of(moreDifferences, "more difference"))"] : []
    let skipped = skippedSteps > 0 ? [UnplayedStep.note(skippedSteps)] : []
    let reason = skipReason.map { " (\($0))" } ?? ""
    let heading = "\(transcript.path): \(verdict.rawValue)\(reason)"
    let logs = logs.isEmpty ? [] : [logs]
    return ([heading] + differences.map(\.description) + more + skipped + logs)
      .joined(separator: "\n\n")
  }
}

/// A difference between a transcript and its run, or a mistake in the transcript.
public struct TranscriptDifference: Sendable, CustomStringConvertible {
  /// The transcript that was played.
  public let transcript: Transcript
  /// The line of the file, counted from 1; 0 if the difference belongs to no line.
  public let line: Int
  /// What is wrong, in one sentence.
  public let summary: String
  /// The line of the step, counted from 1; nil if the difference isn't about a step's output.
  public let stepLine: Int?
  /// What the step should emit, as canonical lines. Empty if the difference isn't about a step's
  /// output.
  public let expected: [String]
  /// What the step emitted, as canonical lines.
  public let found: [String]
  private let details: String

  /// The path, the line and the summary, followed by the diff.
  public var description: String {
    let location = line > 0 ? "\(transcript.path):\(line)" : transcript.path
    let first = "\(location): \(summary)"
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

  /// The error that stopped the transcript. Its message may begin with the path and the line.
  init(_ error: TranscriptError, in transcript: Transcript, hasLogs: Bool) {
    self.transcript = transcript
    line = error.line
    let (summary, details) = error.parts(in: transcript.path, hasLogs: hasLogs)
    self.summary = summary
    self.details = details
    stepLine = nil
    expected = []
    found = []
  }
}
