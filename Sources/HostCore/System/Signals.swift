import Glibc
import HostShims

/// The signals that end a session, received through a descriptor.
package struct Signals: ~Copyable {
  private let pipe: FileDescriptor.Pipe

  private init(pipe: consuming FileDescriptor.Pipe) { self.pipe = pipe }

  /// Makes `received` return SIGINT, SIGTERM and SIGHUP instead of letting them end the process. A
  /// second signal of the same kind still ends it. From now on, a write fails instead of raising a
  /// signal if the pipe is closed or the file would exceed its size limit.
  package static func forward() throws(SystemError) -> Signals {
    let pipe = try FileDescriptor.pipe()
    try Descriptor.setNonBlocking(pipe.reading.number)
    signal(SIGPIPE, SIG_IGN)
    signal(SIGXFSZ, SIG_IGN)
    guard host_forward_signals(pipe.writing.number) == 0 else { throw .last("sigaction") }
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

/// Ways to end the process.
package enum Exit {
  package static func now(_ status: Int32) -> Never { _exit(status) }

  /// Ends the process by a signal, so that the shell sees why.
  package static func bySignal(_ number: Int32) -> Never { host_die_by_signal(number) }

  package static let brokenPipe = SIGPIPE
  package static let interrupt = SIGINT
}
