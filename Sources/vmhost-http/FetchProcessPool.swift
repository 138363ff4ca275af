import Foundation
import Synchronization

/// The child processes that perform the requests. If one crashes, the others go on.
///
/// Foundation's `URLSession` ends its process when an answer is cut off within its headers, or has
/// trailers (`fatalError` in `NativeProtocol`). Any server could do that. So a process has one
/// request at a time, unless `limit` processes are busy already. If the process ends, its requests
/// fail.
final class FetchProcessPool: Sendable {
  private struct Member {
    let process: Process
    let input: FileHandle
    /// The open requests, with their URLs for messages.
    var open: [UInt64: String] = [:]
  }

  private struct State {
    var members: [Int: Member] = [:]
    var lastKey = 0
  }

  private static let limit = 8

  // Foundation's classes aren't Sendable here, but they are only used with the lock held.
  private let state = Mutex(State())
  private let output: MessageOutput

  init(output: MessageOutput) {
    self.output = output
  }

  func isOpen(_ id: UInt64) -> Bool {
    state.withLock { $0.members.values.contains { $0.open[id] != nil } }
  }

  /// Sends a request to the process with the fewest open requests.
  ///
  /// - Parameter line: the host's message with the request.
  /// - Throws: `failed` if no process can be started.
  func start(_ id: UInt64, _ request: OutgoingRequest, _ line: [UInt8]) throws(ProviderError) {
    let result: Result<Void, ProviderError> = state.withLock { state in
      do throws(ProviderError) {
        let chosen = try choose(from: &state)
        state.members[chosen]?.open[id] = request.url.forMessages
        send(line, to: state.members[chosen])
        return .success(())
      } catch {
        return .failure(error)
      }
    }
    try result.get()
  }

  /// Passes a cancel on. The request may have been answered already; that is no mistake.
  func cancel(_ id: UInt64, _ line: [UInt8]) {
    state.withLock { state in
      send(line, to: state.members.values.first { $0.open[id] != nil })
    }
  }

  /// Chooses the process with the fewest open requests. If all are busy, it starts a new one, up to
  /// the limit.
  private func choose(from state: inout State) throws(ProviderError) -> Int {
    let best = state.members.filter { $0.value.process.isRunning }.min {
      $0.value.open.count < $1.value.open.count
    }
    if let best, best.value.open.isEmpty || state.members.count >= Self.limit { return best.key }
    return try launch(&state)
  }

  /// Kills the processes, whether or not they have open requests, and reaps them, since the init
  /// process of a container may not do that.
  func stop() {
    state.withLock { state in
      let ids = state.members.values.map(\.process.processIdentifier)
      for id in ids { kill(id, SIGKILL) }
      for id in ids { waitpid(id, nil, 0) }
      // Open requests are dropped, not failed: nobody is left to be told.
      state.members = [:]
    }
  }

  private func send(_ line: [UInt8], to member: Member?) {
    // If the process is gone, the thread that reads from it notices and answers.
    try? member?.input.write(contentsOf: Data(line + [UInt8(ascii: "\n")]))
  }

  private func launch(_ state: inout State) throws(ProviderError) -> Int {
    let process = Process()
    let (input, results) = (Pipe(), Pipe())
    process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    process.arguments = [FetchProcess.argument]
    // A crash is reported as the error of its request. A backtrace would only cost seconds.
    process.environment = ProcessInfo.processInfo.environment.merging(
      ["SWIFT_BACKTRACE": "enable=no"], uniquingKeysWith: { $1 })
    process.standardInput = input
    process.standardOutput = results
    process.standardError = FileHandle.nullDevice
    do {
      try process.run()
    } catch {
      throw ProviderError(.failed, "Could not start a worker for the request: \(error)")
    }
    state.lastKey += 1
    let key = state.lastKey
    state.members[key] = Member(process: process, input: input.fileHandleForWriting)
    let reading = results.fileHandleForReading
    Thread.detachNewThread { [self] in
      _ = LineInput(reading).read { forward($0, from: key) }
      ended(key)
    }
    return key
  }

  private func forward(_ line: [UInt8], from key: Int) {
    if let id = ProviderMessage.answeredID(in: line) {
      state.withLock { _ = $0.members[key]?.open.removeValue(forKey: id) }
    }
    output.send(line: line + [UInt8(ascii: "\n")])
  }

  private func ended(_ key: Int) {
    let open = state.withLock { $0.members.removeValue(forKey: key)?.open } ?? [:]
    for (id, url) in open.sorted(by: { $0.key < $1.key }) {
      output.send(
        .error(
          id, ProviderError(.failed, "The answer of \(url) broke off or is not valid HTTP.")))
    }
  }
}
