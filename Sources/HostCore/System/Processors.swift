import Glibc
import HostShims

/// The machine's processors.
package enum Processors {
  /// How many this process may use; at least 1.
  package static var available: Int { max(Int(host_processors()), 1) }
}
