import Glibc
import HostShims

/// The signals that end a session, received through a descriptor.
package struct Signals: ~Copyable {
  private let pipe: FileDescriptor.Pipe

  private init(pipe: consuming FileDescriptor.Pipe) { self.pipe = pipe }

  /// Prepares a program, but not an app, for its end: SIGINT, SIGTERM and SIGHUP end the processes
  /// that it started before they end itself, and it reaps these processes' orphans. From now on,
  /// writes fail as `failWrites` says.
  package static func handle() throws(SystemError) {
    failWrites()
    // While it is ignored, as whoever started this program may have it, nobody can tell how a child
    // ended.
    signal(SIGCHLD, SIG_DFL)
    guard host_adopt_orphans() == 0 else { throw .last("prctl") }
    guard host_handle_signals() == 0 else { throw .last("sigaction") }
  }

  /// Makes a write fail instead of raising a signal, if the pipe is closed or the file would exceed
  /// its size limit.
  package static func failWrites() {
    signal(SIGPIPE, SIG_IGN)
    signal(SIGXFSZ, SIG_IGN)
  }

  /// Makes `received` return SIGINT, SIGTERM and SIGHUP after `handle`. A second signal of the same
  /// kind still ends the process.
  package static func forward() throws(SystemError) -> Signals {
    let pipe = try FileDescriptor.pipe()
    try Descriptor.setNonBlocking(pipe.reading.number)
    host_forward_signals(pipe.writing.number)
    return Signals(pipe: pipe)
  }

  package var interest: Descriptor.Interest { Descriptor.Interest(pipe.reading.number) }

  /// The next signal that has arrived, or nil.
  package func received() -> Int32? {
    var bytes: [UInt8] = []
    // Reading our own pipe can only fail because it is empty.
    _ = try? Descriptor.read(pipe.reading.number, limit: 1, into: &bytes)
    return bytes.first.map(Int32.init)
  }
}

/// Ways to end the process. The processes that it started are ended first.
package enum Exit {
  package static func now(_ status: Int32) -> Never {
    host_end_children()
    _exit(status)
  }

  /// Has the kernel end the process if it still runs after some seconds.
  package static func byKernel(after seconds: UInt32) { alarm(seconds) }

  /// Ends the process by a signal, so that the shell sees why.
  package static func bySignal(_ number: Int32) -> Never {
    host_end_children()
    host_die_by_signal(number)
  }

  package static let brokenPipe = SIGPIPE
  package static let interrupt = SIGINT
}
