import PluginABI
import Synchronization
import Testing
import ViewModelKit

private final class Nested: ViewModel {
  static let id = "test.nested"

  struct Inputs {
    let tapped = Input<NoValue>()
    let name = Input<String>()
  }

  final class Labels: Sendable {
    let title = State("Cart")
  }

  struct Outputs {
    let labels = Labels()
    let name = State("")
    var done: Signal<Int>? = Signal()
    let failed: Signal<Int>? = nil
  }

  final class Repository: Sendable {
    let http: HTTP
    let timer = Timer()
    let count = Mutex(0)

    init(http: HTTP) { self.http = http }
  }

  let inputs = Inputs()
  let repository: Repository
  let closed = Signal<NoValue>()
  let outputs: Outputs? = Outputs()
  /// A part with two names; the shorter path counts.
  let client: HTTP
  var note = State("replaced")
  let numbers = Array(0..<1000)
  var itself: AnyObject?

  init() {
    client = HTTP()
    repository = Repository(http: client)
    note = State("first")
    itself = self
  }

  func start(_ context: Context<NoConfig>) {
    inputs.tapped.on { self.outputs?.done?.emit(1) }
    inputs.name.on { self.outputs?.name.value = $0 }
    inputs.name.on { self.outputs?.labels.title.value = "Cart of \($0)" }
  }
}

/// All of its own parts are its properties.
private final class Plain: ViewModel {
  static let id = "test.plain"

  let tapped = Input<NoValue>()
  let shown: Signal<NoValue>
  let also: Signal<NoValue>

  init() {
    shown = Signal()
    also = shown
  }

  func start(_ context: Context<NoConfig>) { tapped.on { self.shown.emit() } }
}

@ViewModelActor private class Titled {
  let title = State("")
  weak var owner: Titled?

  init() {}
}

/// Its parts are in two classes, and only memory tells which of them is which.
private final class Swapped: Titled, ViewModel {
  static let id = "test.swapped"
  static var count = 0

  let tapped = Input<NoValue>()
  let one: Signal<NoValue>
  let two: Signal<NoValue>
  private var numbers: [Int]?
  private let texts = (1, "two")
  private var action: (() -> Void)?

  override init() {
    Self.count += 1
    let (first, second) = (Signal<NoValue>(), Signal<NoValue>())
    (one, two) = Self.count.isMultiple(of: 2) ? (first, second) : (second, first)
  }

  func start(_ context: Context<NoConfig>) {
    tapped.on {
      self.one.emit()
      self.two.emit()
      self.title.value = "tapped"
    }
  }
}

/// Its `start` is mistaken where its config says so.
private final class Late: ViewModel {
  static let id = "test.late"

  struct Config: ViewModelConfig { var isLate = false }

  let tapped = Input<NoValue>()
  let shown = Signal<NoValue>()
  var work: Work { Work(.latest) }

  func start(_ context: Context<Config>) {
    if context.config.isLate { _ = work }
    tapped.on { self.shown.emit() }
    tapped.on { _ = self.work }
  }
}

extension KitTests {
  @Suite struct PartsOfOthers {
    @Test func `nested parts have flat names, in the order of declaration`() {
      #expect(
        TestHost(Nested.self).manifest
          == #"{"id":"test","version":"1.0.0","viewModels":[{"id":"test.nested","#
          + #""inputs":[{"name":"tapped"},{"name":"name","schema":{"type":"string"}}],"#
          + #""requests":["timer","http"],"#
          + #""signals":[{"name":"closed"},{"name":"done","schema":{"type":"integer"}}],"#
          + #""states":[{"first":"Cart","name":"title","schema":{"type":"string"}},"#
          + #"{"first":"","name":"name","schema":{"type":"string"}},"#
          + #"{"first":"first","name":"note","schema":{"type":"string"}}]}]}"#)
    }

    @Test func `nested parts work in each of several instances`() throws {
      let host = TestHost(Nested.self)
      _ = host.manifest
      let one = try host.create("test.nested")
      #expect(one.poll() == [#"< title "Cart""#, #"< name """#, #"< note "first""#])
      let other = try host.open("test.nested")
      #expect(try one.input("name", #""Ann""#) == [#"< name "Ann""#, #"< title "Cart of Ann""#])
      #expect(try other.input("tapped") == ["< done 1"])
      #expect(one.poll() == [])
    }

    @Test func `a part that comes too late ends neither the plugin nor another instance`() throws {
      let host = TestHost(Late.self)
      let reason =
        "makes a Work, which is too late: the kit finds what stored properties hold after init, so"
        + " a part can't be lazy, computed, static or local. Write \"let NAME = Work(…)\" as a"
        + " stored property"
      let instance = try host.open("test.late")
      #expect(
        try refusal { _ = try host.create("test.late", config: #"{"isLate":true}"#) }
          == Refused(status: Int(VM_E_FAILED), message: "its start \(reason)."))
      let text = "it \(reason)".replacing("\"", with: "\\\"")
      let lines = [
        "< shown", #"log error "\"tapped\" failed: \#(text)""#, #"fault tapped "\#(text)""#,
      ]
      for _ in 1...2 { #expect(try instance.input("tapped") == lines) }
    }

    @Test func `the parts of each instance have their own names, however they were made`() throws {
      let host = TestHost(Swapped.self)
      #expect(host.manifest.contains(#""signals":[{"name":"one"},{"name":"two"}]"#))
      for _ in 1...4 {
        let instance = try host.create("test.swapped")
        #expect(instance.poll() == [#"< title """#])
        #expect(try instance.input("tapped") == ["< one", "< two", #"< title "tapped""#])
      }
    }

    @Test func `a part of two properties has one name`() throws {
      let host = TestHost(Plain.self)
      #expect(host.manifest.contains(#""signals":[{"name":"shown"}]"#))
      #expect(try host.open("test.plain").input("tapped") == ["< shown"])
    }
  }
}
