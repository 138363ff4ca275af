import Glibc

/// Threads for work that waits in system calls or may never return.
package enum DetachedThread {
  /// Runs `body` on a new thread, which ends when `body` returns.
  ///
  /// The thread blocks the signals that are sent to the process, which other threads handle. So a
  /// write to a pipe that nobody reads fails there, and doesn't end the process.
  ///
  /// - Throws: `SystemError` if the system can't start another thread.
  package static func start(_ body: @escaping @Sendable () -> Void) throws(SystemError) {
    let work = Work(body)
    var attributes = pthread_attr_t()
    unsafe pthread_attr_init(&attributes)
    defer { unsafe pthread_attr_destroy(&attributes) }
    unsafe pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
    var thread = pthread_t()
    let argument = unsafe Unmanaged.passRetained(work)
    let result = unsafe pthread_create(
      &thread, &attributes,
      { argument in
        guard let argument = unsafe argument else { return nil }
        unsafe Unmanaged<Work>.fromOpaque(argument).takeRetainedValue().run()
        return nil
      }, argument.toOpaque())
    guard result == 0 else {
      unsafe argument.release()
      throw SystemError("pthread_create", number: result)
    }
  }

  private final class Work: Sendable {
    private let body: @Sendable () -> Void

    init(_ body: @escaping @Sendable () -> Void) { self.body = body }

    func run() {
      DetachedThread.blockSignals()
      body()
    }
  }

  private static func blockSignals() {
    var signals = sigset_t()
    unsafe sigfillset(&signals)
    // The thread's own faults are best reported where they happen.
    for number in [SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT, SIGSYS] {
      unsafe sigdelset(&signals, number)
    }
    unsafe pthread_sigmask(SIG_BLOCK, &signals, nil)
  }
}
