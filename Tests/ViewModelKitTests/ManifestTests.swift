import Testing
import ViewModelKit

private struct Options: ViewModelConfig {
  var limit = 10
  var label: String?
}

private final class Described: ViewModel {
  static let id = "test.described"

  let http = HTTP()
  let tap = Input<NoValue>()
  let search = Input<String>()
  let plain = 5
  let items = State<[Int]>([1, 2])
  let isEmpty = State(true, .distinct)
  let note = State<String?>(nil)
  let done = Signal<Bool>()
  let closed = Signal<NoValue>()
  let work = Work(.latest, debounce: .seconds(1))
  let timer = Timer()
  let geo = Effect<String, String>("geo.locate")

  func start(_ context: Context<Options>) { items.value = [] }
}

@ViewModelActor private class Base {
  let first = Input<NoValue>()
}

private final class Derived: Base, ViewModel {
  static let id = "test.derived"

  let second = Input<NoValue>()
  let storage = Storage()

  override init() { super.init() }

  func start(_ context: Context<NoConfig>) {}
}

private final class Unwritable: ViewModel {
  static let id = "test.unwritable"

  let ratio = State(Double.nan)

  func start(_ context: Context<NoConfig>) {}
}

extension KitTests {
  @Suite struct Manifests {
    @Test func `the manifest says all that the view models declare, in order`() {
      #expect(
        TestHost(Described.self).manifest
          == #"{"id":"test","version":"1.0.0","viewModels":[{"config":{"default":{"limit":10},"#
          + #""schema":{"properties":{"label":{"type":["string","null"]},"#
          + #""limit":{"type":"integer"}},"type":"object"}},"#
          + #""id":"test.described","inputs":[{"name":"tap"},"#
          + #"{"name":"search","schema":{"type":"string"}}],"#
          + #""requests":["http","timer","geo.locate"],"#
          + #""signals":[{"name":"done","schema":{"type":"boolean"}},{"name":"closed"}],"#
          + #""states":[{"first":[1,2],"name":"items","#
          + #""schema":{"items":{"type":"integer"},"type":"array"}},"#
          + #"{"distinct":true,"first":true,"name":"isEmpty","schema":{"type":"boolean"}},"#
          + #"{"first":null,"name":"note","schema":{"type":["string","null"]}}]}]}"#)
    }

    @Test func `inherited ports come first, and a config that isn't there isn't told`() {
      #expect(
        TestHost(Derived.self).manifest
          == #"{"id":"test","version":"1.0.0","viewModels":[{"id":"test.derived","#
          + #""inputs":[{"name":"first"},{"name":"second"}],"#
          + #""requests":["storage.get","storage.set","storage.delete","storage.list"],"#
          + #""signals":[],"states":[]}]}"#)
    }

    @Test func `the manifest keeps its bytes`() {
      let host = TestHost(Derived.self, Described.self)
      let first = host.manifest
      _ = try? host.open("test.derived")
      #expect(host.manifest == first)
    }

    @Test func `a view model that can't be described makes a manifest that says why`() {
      let manifest = TestHost(Unwritable.self).manifest
      #expect(manifest.hasPrefix(#"{"error":""#))
      #expect(!manifest.contains("viewModels"))
    }

    @Test func `a value that JSON can't express is a fault, and nothing is emitted`() throws {
      let instance = try TestHost(Unwritable.self).create("test.unwritable")
      let lines = instance.poll()
      #expect(lines.count == 2)
      #expect(lines.last?.hasPrefix("fault ratio ") == true)
    }
  }
}
