import TestSupport
import Testing

@testable import HostCore

struct ProviderRequestsTests {
  private static func instance(_ number: Int32) throws -> SessionInstance {
    let json = "{\"id\":\"p\",\"version\":\"1\",\"viewModels\":[{\"id\":\"a\"}]}"
    let viewModel = try #require(try PluginManifest(json: Array(json.utf8)).viewModel("a"))
    return SessionInstance(
      number: number, handle: "a\(number)", viewModel: viewModel, plugin: 0, earlierRequests: 0)
  }

  @Test func `a request is found by either id, once`() throws {
    let (first, second) = (try Self.instance(1), try Self.instance(2))
    var requests = ProviderRequests()
    #expect(requests.isEmpty)
    #expect(requests.add(1, of: first, "http") == 1)
    #expect(requests.add(1, of: second, "http") == 2)
    #expect(requests.add(2, of: first, "geo") == 3)
    let cancelled = requests.remove(1, of: 2)
    #expect(cancelled?.id == 2)
    #expect(cancelled?.request.instance === second)
    #expect(requests.remove(2)?.shownID == nil)
    #expect(requests.remove(1, of: 2)?.id == nil)
    let answered = requests.remove(3)
    #expect(answered?.effect == "geo")
    #expect(answered?.shownID == 2)
    #expect(requests.remove(2, of: 1)?.id == nil)
    #expect(!requests.isEmpty)
    #expect(requests.remove(1)?.instance === first)
    #expect(requests.isEmpty)
    // An id is never used again: an answer that comes too late must not be taken for another's.
    #expect(requests.add(1, of: first, "http") == 4)
  }
}
