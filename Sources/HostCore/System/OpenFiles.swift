import Glibc
import HostShims

/// The files that this process has open.
package enum OpenFiles {
  /// Raises the limit on open files to the highest that the system allows this process. If that
  /// fails, the lower limit stays, and opening one file too many throws.
  package static func raiseLimit() { _ = host_raise_file_limit() }
}
