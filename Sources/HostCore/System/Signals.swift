import Glibc
import HostShims

/// The signals that end a session, made into something to wait for.
package struct Signals: ~Copyable {
  private let pipe: FileDescriptor.Pipe

  private init(pipe: consuming FileDescriptor.Pipe) { self.pipe = pipe }

  /// From now on SIGINT, SIGTERM and SIGHUP show in `received` instead of ending the process; the
  /// second one of a kind ends it all the same. A write to a closed pipe, or of more than a file
  /// may hold, fails instead of killing.
  package static func forward() throws(SystemError) -> Signals {
    let pipe = try FileDescriptor.pipe()
    try Descriptor.setNonBlocking(pipe.reading.number)
    signal(SIGPIPE, SIG_IGN)
    signal(SIGXFSZ, SIG_IGN)
    guard host_forward_signals(pipe.writing.number) == 0 else { throw .last("sigaction") }
    return Signals(pipe: pipe)
  }

  package var interest: Descriptor.Interest { Descriptor.Interest(pipe.reading.number) }

  /// The signal that came, if one did.
  package func received() -> Int32? {
    var bytes: [UInt8] = []
    // Reading our own pipe can fail for no other reason than that it is empty.
    _ = try? Descriptor.read(pipe.reading.number, limit: 1, into: &bytes)
    return bytes.first.map(Int32.init)
  }
}

/// Ways to end the process.
package enum Exit {
  package static func now(_ status: Int32) -> Never { _exit(status) }

  /// Ends by a signal, so that the shell sees why.
  package static func bySignal(_ number: Int32) -> Never { host_die_by_signal(number) }

  package static let brokenPipe = SIGPIPE
  package static let interrupt = SIGINT
}
