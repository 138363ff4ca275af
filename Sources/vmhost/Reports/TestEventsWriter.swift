import HostCore
import Synchronization

/// Writes a run to a file while it goes on, from any thread. Each line is one write, so that the
/// file has whole lines even if vmhost is killed.
final class TestEventsWriter: Sendable {
  private struct State: ~Copyable, Sendable {
    let file: FileDescriptor
    var counts: [Verdict: Int] = [:]
  }

  private let path: String
  private let state: Mutex<State>

  /// Creates or empties the file, and writes the first line.
  init(_ path: String, _ run: TestEvents.Run) throws(Failure) {
    self.path = path
    do throws(SystemError) {
      let file = try FileDescriptor.openForAppending(emptying: path)
      try file.write(TestEvents.line(run).span)
      state = Mutex(State(file: file))
    } catch { throw ReportFile.unwritable(path, error) }
  }

  func write(_ result: TestResult) throws(Failure) {
    let line = TestEvents.line(result)
    try write { state in
      state.counts[result.verdict, default: 0] += 1
      return line
    }
  }

  /// Writes the last line.
  func end(_ end: TestEvents.End) throws(Failure) {
    try write { state in TestEvents.line(end, counts: state.counts) }
  }

  private func write(_ line: (inout State) -> [UInt8]) throws(Failure) {
    let failure = state.withLock { (state) -> SystemError? in
      do throws(SystemError) {
        try state.file.write(line(&state).span)
        return nil
      } catch { return error }
    }
    if let failure { throw ReportFile.unwritable(path, failure) }
  }
}
