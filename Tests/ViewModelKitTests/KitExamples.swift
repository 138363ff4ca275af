import ViewModelKit

// The examples of Documentation/Kit.md, which a test compares with it.

final class Cart: ViewModel {
  static let id = "example.cart"

  struct Inputs {
    let added = Input<String>()
    let cleared = Input<NoValue>()
  }

  struct Outputs {
    let items = State([String]())
  }

  let inputs = Inputs()
  let outputs = Outputs()

  func start(_ context: Context<NoConfig>) {
    inputs.added.on { self.outputs.items.value.append($0) }
    inputs.cleared.on { self.outputs.items.value = [] }
  }
}

struct Quote: DirectObject, Sendable {
  var price: Double
  var symbol: String
  var volume: Int?

  init(members: inout MemberReader) throws {
    price = try members.read("price")
    symbol = try members.read("symbol")
    volume = try members.readIfPresent("volume")
  }

  func write(members: inout MemberWriter) throws {
    try members.write("price", price)
    try members.write("symbol", symbol)
    try members.writeIfPresent("volume", volume)
  }
}

final class Finder: ViewModel {
  static let id = "example.finder"

  struct Item: Codable, Sendable { var title: String }

  let didOpenShelf = Input<Int>()
  let items = State([Item]())
  let loading = State(false, .distinct)
  let failed = Signal<String>()
  let http = HTTP()
  let load = Work(.latest, debounce: .milliseconds(300))

  func start(_ context: Context<NoConfig>) {
    didOpenShelf.start(load) { shelf in
      self.loading.value = true
      do {
        let response = try await self.http.get("https://example.org/shelves/\(shelf)")
        self.items.value = try response.decode([Item].self)
      } catch let error as EffectError {
        self.failed.emit(error.message)
      }
      self.loading.value = false
    }
  }
}

final class Dice: ViewModel {
  static let id = "example.dice"

  struct Config: ViewModelConfig { var sides = 6 }

  let roll = Input<NoValue>()
  let rolled = Signal<Int>()

  func start(_ context: Context<Config>) {
    roll.on {
      let sides = context.config.sides
      self.rolled.emit(Int.random(in: 1...sides, using: &context.random))
    }
  }
}
