import Synchronization

/// A queue of jobs from any thread for one thread, which the first job wakes from
/// `Descriptor.wait`.
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

  /// Is ready when there are jobs.
  package var interest: Descriptor.Interest { Descriptor.Interest(pipe.reading.number) }

  /// Adds a job.
  ///
  /// - Returns: false if the mailbox is closed. The job then never runs.
  @discardableResult
  package func post(_ job: @escaping Job) -> Bool {
    let (isAccepted, isFirst) = state.withLock { state in
      guard !state.isClosed else { return (false, false) }
      state.jobs.append(job)
      return (true, state.jobs.count == 1)
    }
    // This can only fail because the pipe is full, and a full pipe wakes the thread too.
    if isFirst { _ = try? Descriptor.writeSome(pipe.writing.number, [1].span) }
    return isAccepted
  }

  /// Removes and returns the jobs in the queue, in order.
  package func take() -> [Job] {
    // The pipe is emptied first, so that a job posted after this wakes the thread again.
    var scrap: [UInt8] = []
    _ = try? Descriptor.read(pipe.reading.number, limit: 64, into: &scrap)
    return state.withLock { state in
      defer { state.jobs.removeAll() }
      return state.jobs
    }
  }

  /// Closes the mailbox to new jobs.
  ///
  /// - Returns: the jobs still in the queue, in order.
  package func close() -> [Job] {
    state.withLock { state in
      state.isClosed = true
      defer { state.jobs.removeAll() }
      return state.jobs
    }
  }
}
