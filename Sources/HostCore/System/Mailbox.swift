import Synchronization

/// Jobs from any thread for one that waits with `Descriptor.wait`, which the first of them wakes.
package final class Mailbox<Owner>: Sendable {
  package typealias Job = @Sendable (Owner) -> Void

  private struct State: Sendable {
    var jobs: [Job] = []
    var isClosed = false
  }

  private let state = Mutex(State())
  private let pipe: FileDescriptor.Pipe

  package init() throws(SystemError) {
    let pipe = try FileDescriptor.pipe()
    try Descriptor.setNonBlocking(pipe.reading.number)
    try Descriptor.setNonBlocking(pipe.writing.number)
    self.pipe = pipe
  }

  /// Ready when there are jobs.
  package var interest: Descriptor.Interest { Descriptor.Interest(pipe.reading.number) }

  /// Adds a job.
  ///
  /// - Returns: false, and the job is never done, if the mailbox is closed.
  @discardableResult
  package func post(_ job: @escaping Job) -> Bool {
    let (isTaken, isFirst) = state.withLock { state in
      guard !state.isClosed else { return (false, false) }
      state.jobs.append(job)
      return (true, state.jobs.count == 1)
    }
    // It can fail for no other reason than that the pipe is full, which wakes as well.
    if isFirst { _ = try? Descriptor.writeSome(pipe.writing.number, [1].span) }
    return isTaken
  }

  /// Takes the jobs that have come, in their order.
  package func take() -> [Job] {
    // What wakes is taken first: a job that comes later than this wakes again.
    var scrap: [UInt8] = []
    _ = try? Descriptor.read(pipe.reading.number, limit: 64, into: &scrap)
    return state.withLock { state in
      defer { state.jobs.removeAll() }
      return state.jobs
    }
  }

  /// Takes no more jobs from now on.
  ///
  /// - Returns: those that came before.
  package func close() -> [Job] {
    state.withLock { state in
      state.isClosed = true
      defer { state.jobs.removeAll() }
      return state.jobs
    }
  }
}
