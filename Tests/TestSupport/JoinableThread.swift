import Glibc

/// A thread that its owner joins, so that a finished test has left none behind.
// Sendable holds because `handle` never changes; the owner alone joins, once.
package final class JoinableThread: Sendable {
  private let handle: pthread_t

  private final class Work: Sendable {
    let body: @Sendable () -> Void
    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
  }

  package init(_ body: @escaping @Sendable () -> Void) throws {
    var handle = pthread_t()
    let context = unsafe Unmanaged.passRetained(Work(body))
    let code = unsafe pthread_create(
      &handle, nil,
      { context in
        unsafe Unmanaged<Work>.fromOpaque(context!).takeRetainedValue().body()
        return nil
      }, context.toOpaque())
    guard code == 0 else {
      unsafe context.release()
      throw TestSupportError("Could not start a thread: \(errorText(code)).")
    }
    self.handle = handle
  }

  package func join() {
    let code = pthread_join(handle, nil)
    precondition(code == 0, "Could not join a thread: \(errorText(code)).")
  }
}
