/// The one place where the code of view models runs: inside the host's calls, on the host's thread.
///
/// Tasks, continuations and `await`s of isolated code go through this actor's queue, which the
/// host's polls empty. Nothing of it ever runs on a thread of its own.
@globalActor public actor ViewModelActor {
  public static let shared = ViewModelActor()

  nonisolated let executor = KitExecutor()

  public nonisolated var unownedExecutor: UnownedSerialExecutor {
    unsafe executor.asUnownedSerialExecutor()
  }
}
