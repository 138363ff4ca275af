import Foundation
import ViewModelKit

final class NoNumber: Mistaken {
  let ratio = State(Double.nan)

  func start(_ context: Context<NoConfig>) {}
}

// MARK: Foundation's types

final class DecimalState: Mistaken {
  let total = State(Decimal(0))

  func start(_ context: Context<NoConfig>) {}
}

final class URLInput: Mistaken {
  struct Link: Codable, Sendable {
    var title: String
    var url: URL?
  }

  let opened = Input<Link>()

  func start(_ context: Context<NoConfig>) {}
}

final class DataSignal: Mistaken {
  let loaded = Signal<[Data]>()

  func start(_ context: Context<NoConfig>) {}
}

final class DateState: Mistaken {
  let days = State([String: Date]())

  func start(_ context: Context<NoConfig>) {}
}

final class UUIDReply: Mistaken {
  let reserve = Effect<String, UUID>("cart.reserve")

  func start(_ context: Context<NoConfig>) {}
}

final class DateConfig: Mistaken {
  struct Config: ViewModelConfig { var since = Date(timeIntervalSinceReferenceDate: 0) }

  func start(_ context: Context<Config>) {}
}

// MARK: Foundation's types that show only later

final class StoredDecimal: Mistaken {
  let saved = Input<NoValue>()
  let storage = Storage()
  let save = Work(.latest)

  func start(_ context: Context<NoConfig>) {
    saved.start(save) { try await self.storage.set("total", Decimal(1)) }
  }
}

enum Delivery: Codable, Sendable {
  case none
  case on(Date)
}

final class DatePayload: Mistaken {
  let chosen = Input<NoValue>()
  let delivery = Signal<Delivery>()

  func start(_ context: Context<NoConfig>) {
    chosen.on { self.delivery.emit(.on(Date(timeIntervalSinceReferenceDate: 0))) }
  }
}

final class DatePayloadInput: Mistaken {
  let chosen = Input<Delivery>()

  func start(_ context: Context<NoConfig>) {}
}
