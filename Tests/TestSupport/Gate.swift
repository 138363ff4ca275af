import Glibc

/// Holds answers of a `LoopbackServer` back until the test opens it; it stays open.
package final class Gate: Sendable {
  /// Readable from the moment on which the gate is open.
  let descriptor: Descriptor

  private let opener: Descriptor

  package init() throws {
    (descriptor, opener) = try Descriptor.pipe()
    try opener.setNonBlocking()
  }

  package func open() {
    // A full pipe is an open gate too.
    precondition(opener.write([1]) == 1 || errno == EAGAIN, "Could not open a gate.")
  }
}
