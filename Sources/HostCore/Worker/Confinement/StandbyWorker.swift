import Synchronization

/// A worker that is started before it is known what it will load, so that it starts while the host
/// finds that out. It waits to be told how to confine itself.
package final class StandbyWorker: Sendable {
  let worker: Mutex<StartedWorker?>

  /// Starts a worker as `sandbox` has it.
  ///
  /// - Throws: `SystemError` if it can't be started.
  package init(_ sandbox: Sandbox = Sandbox()) throws(SystemError) {
    worker = Mutex(try StartedWorker(ConfinedProcess.Command(sandbox), image: SealedImage()))
  }

  /// Passes on the worker to the first caller, unless it has ended. Ends it if it was started by
  /// another command.
  func take(_ command: ConfinedProcess.Command) -> StartedWorker? {
    worker.withLock { worker in
      guard let started = worker.take(), started.command == command,
        started.process.end(within: 0) == nil
      else { return nil }
      return started
    }
  }
}

/// A worker that has been started and told nothing yet, with the memory that the host shares with
/// it.
struct StartedWorker: ~Copyable {
  let command: ConfinedProcess.Command
  let process: ConfinedProcess
  let image: SealedImage
  let memory: SharedMemory

  /// - Parameter separatesErrors: whether standard error has a pipe of its own.
  init(
    _ command: ConfinedProcess.Command, image: consuming SealedImage, separatesErrors: Bool = false
  ) throws(SystemError) {
    let memory = try SharedMemory(count: SharedBuffer.size)
    let process = try ConfinedProcess(
      command, image: image, memory: memory, separatesErrors: separatesErrors)
    self.command = command
    self.process = process
    self.image = image
    self.memory = memory
  }
}
