import Glibc
import HostShims

/// The files that this process has open.
package enum OpenFiles {
  /// Allows as many of them as the system lets this process have at all. Where that fails there are
  /// fewer, and whoever opens one too many hears of it.
  package static func allowMost() { _ = host_allow_most_files() }
}
