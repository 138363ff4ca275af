import Testing

@testable import HostCore

struct HostErrorTests {
  @Test func `an error that no part of a session is known to throw is the system's`() {
    struct Unknown: Error {}
    let error = HostError(Unknown())
    #expect(error.code == .system)
    #expect(error.description == "unexpected failure: Unknown().")
  }
}
