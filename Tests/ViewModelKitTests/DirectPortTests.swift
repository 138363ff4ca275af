import Testing
import ViewModelKit

private enum Side: String, Codable, CaseIterable, DirectJSON { case buy, sell }

private struct Order: Codable, Equatable, Sendable {
  var side: Side
  var amount: Int
  var note: String?
}

extension Order: DirectObject {
  init(members: inout MemberReader) throws {
    side = try members.read("side")
    amount = try members.read("amount")
    note = try members.readIfPresent("note")
  }

  func write(members: inout MemberWriter) throws {
    try members.write("side", side)
    try members.write("amount", amount)
    try members.writeIfPresent("note", note)
  }
}

/// The same by Codable alone.
private struct PlainOrder: Codable, Equatable, Sendable {
  var side: Side
  var amount: Int
  var note: String?
}

private final class Orders: ViewModel {
  static let id = "test.orders"

  let placed = Input<Order>()
  let replaced = Input<[Order]>()
  let orders = State<[Order]>([])
  let last = State<Order?>(nil, .distinct)
  let added = Signal<Order>()

  func start(_ context: Context<NoConfig>) {
    placed.on { order in
      self.orders.value.append(order)
      self.last.value = order
      self.added.emit(order)
    }
    replaced.on { self.orders.value = $0 }
  }
}

private final class PlainOrders: ViewModel {
  static let id = "test.orders"

  let placed = Input<PlainOrder>()
  let replaced = Input<[PlainOrder]>()
  let orders = State<[PlainOrder]>([])
  let last = State<PlainOrder?>(nil, .distinct)
  let added = Signal<PlainOrder>()

  func start(_ context: Context<NoConfig>) {
    placed.on { order in
      self.orders.value.append(order)
      self.last.value = order
      self.added.emit(order)
    }
    replaced.on { self.orders.value = $0 }
  }
}

private struct Drifted: Codable, Sendable {
  var amount = 0
  var unit: String?
}

extension Drifted: DirectObject {
  init(members: inout MemberReader) throws { amount = try members.read("amount") }
  func write(members: inout MemberWriter) throws { try members.write("amount", amount) }
}

private final class DriftedInput: ViewModel {
  static let id = "test.drifted"

  let set = Input<Drifted?>()

  func start(_ context: Context<NoConfig>) {}
}

private final class DriftedState: ViewModel {
  static let id = "test.drifted"

  let all = State<[Drifted]>([])

  func start(_ context: Context<NoConfig>) {}
}

private final class DriftedSignal: ViewModel {
  static let id = "test.drifted"

  let one = Signal<Drifted>()

  func start(_ context: Context<NoConfig>) {}
}

extension KitTests {
  @Suite struct DirectPorts {
    @Test func `a type that codes itself has the manifest and events of one that doesn't`() throws {
      let (direct, plain) = (TestHost(Orders.self), TestHost(PlainOrders.self))
      let manifest = plain.manifest
      #expect(direct.manifest == manifest)
      #expect(manifest.contains(#""required":["side","amount"]"#))
      let inputs = [
        ("placed", #"{"side":"buy","amount":1}"#),
        ("placed", #"{ "note": "a\"b", "amount": -2, "side": "sell" }"#),
        ("placed", #"{"amount":-2,"note":"a\"b","side":"sell"}"#),
        ("replaced", #"[{"amount":3,"side":"buy","more":[{}]}]"#),
      ]
      let (mine, theirs) = (try direct.open("test.orders"), try plain.open("test.orders"))
      for (name, json) in inputs {
        let events = try theirs.input(name, json)
        #expect(try mine.input(name, json) == events)
        #expect(events.count == 3 || name == "replaced" || json.hasPrefix(#"{"amount""#))
      }
      for json in ["", "7", #"{"amount":1}"#, #"{"amount":"1","side":"buy"}"#] {
        let refusal = try #require(throws: Refused.self) { try theirs.input("placed", json) }
        #expect(throws: refusal) { try mine.input("placed", json) }
      }
    }

    @Test func `a type whose own JSON isn't that of Codable is refused`() {
      let words =
        #"Drifted writes {\"amount\":1} itself, and {\"amount\":1,\"unit\":\"a\"} by Codable"#
      func error(_ manifest: String) -> String {
        manifest.split(separator: #""error":""#).last.map(String.init) ?? ""
      }
      #expect(
        error(TestHost(DriftedInput.self).manifest).hasPrefix(
          #"test.drifted: the input \"set\": Optional<Drifted> writes {\"amount\":1} itself"#))
      #expect(
        error(TestHost(DriftedState.self).manifest).hasPrefix(
          #"test.drifted: the state \"all\": Array<Drifted> writes [{\"amount\":1}] itself"#))
      #expect(
        error(TestHost(DriftedSignal.self).manifest).hasPrefix(
          #"test.drifted: the signal \"one\": "# + words))
    }
  }
}
