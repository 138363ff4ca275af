// The plugin `valuesfixture`, whose values are Foundation's types.
//
// values.echo    Each input shows its value, and emits as `expected` what JSONEncoder writes.
//                `tap` shows an amount of 38 digits; `save` stores one and shows what it reads.
import Foundation
public import ViewModelKit
import ViewModelKitFoundation

struct Order: Codable, Sendable, Equatable {
  var total: Decimal
  var link: URL?
  var images: [Data]
  var days: [String: Date]
  var id: UUID
}

final class Echo: ViewModel {
  static let id = "values.echo"

  struct Config: ViewModelConfig {
    var limit = Decimal(10)
    var home: URL?
  }

  let decimal = Input<Decimal>()
  let url = Input<URL>()
  let data = Input<Data>()
  let date = Input<Date>()
  let uuid = Input<UUID>()
  let order = Input<Order>()
  let counts = Input<[UUID: Int]>()
  let delivery = Input<Delivery>()
  let tap = Input<NoValue>()
  let save = Input<Decimal>()

  let total = State(Decimal(0))
  let limit = State(Decimal(0))
  let link = Signal<URL>()
  let bytes = Signal<Data>()
  let day = Signal<Date>()
  let key = Signal<UUID>()
  let placed = Signal<Order>()
  let counted = Signal<[UUID: Int]>()
  let delivered = Signal<Delivery>()
  let expected = Signal<String>()
  let storage = Storage()
  let work = Work(.queued)

  enum Delivery: Codable, Sendable {
    case none
    case on(Date)
  }

  func start(_ context: Context<Config>) {
    limit.value = context.config.limit
    decimal.on { try self.show($0) { self.total.value = $0 } }
    url.on { try self.show($0) { self.link.emit($0) } }
    data.on { try self.show($0) { self.bytes.emit($0) } }
    date.on { try self.show($0) { self.day.emit($0) } }
    uuid.on { try self.show($0) { self.key.emit($0) } }
    order.on { try self.show($0) { self.placed.emit($0) } }
    counts.on { try self.show($0) { self.counted.emit($0) } }
    delivery.on { try self.show($0) { self.delivered.emit($0) } }
    tap.on { self.total.value = -Decimal(string: "12345678901234567890123456789012345678")! }
    save.start(work) { amount in
      try await self.storage.set("amount", amount)
      self.total.value = try await self.storage.get("amount") ?? 0
    }
  }

  private func show<Value: Encodable>(_ value: Value, _ emit: (Value) -> Void) throws {
    emit(value)
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    expected.emit(String(decoding: try encoder.encode(value), as: UTF8.self))
  }
}

let plugin = Plugin(id: "values", version: "1.0.0", Echo.self)

@c(vm_plugin_entry_v1) public func pluginEntry() -> PluginEntry { plugin.entry }
