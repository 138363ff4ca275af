import Glibc

/// How a process ended.
package enum ExitStatus: Equatable, Sendable, CustomStringConvertible {
  case exited(Int32)
  case signaled(Int32)

  package static let success = ExitStatus.exited(0)

  package var description: String {
    switch self {
    case .exited(let code): "exit status \(code)"
    case .signaled(let signal): "signal \(signal)"
    }
  }
}
