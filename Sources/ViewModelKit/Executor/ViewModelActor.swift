/// The actor of all view models. Its code runs inside the host's calls, on the host's thread.
///
/// The tasks and continuations of isolated code go through this actor's queue, which is emptied
/// when the host polls. Nothing ever runs on a thread of its own.
@globalActor public actor ViewModelActor {
  public static let shared = ViewModelActor()

  nonisolated let executor = KitExecutor.shared

  public nonisolated var unownedExecutor: UnownedSerialExecutor {
    unsafe executor.asUnownedSerialExecutor()
  }
}
