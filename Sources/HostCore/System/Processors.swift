import Glibc
import HostShims

/// The machine's processors.
package enum Processors {
  /// The number of processors that this process may use; at least 1.
  package static var available: Int { max(Int(host_processors()), 1) }
}
