import ViewModelKit

// The examples of Documentation/Authoring.md, which a test compares with it.

final class Finder: ViewModel {
  static let id = "example.finder"

  struct Item: Codable, Sendable { var title: String }

  let didSearch = Input<String>()
  let items = State([Item]())
  let loading = State(false, .distinct)
  let http = HTTP()
  let search = Work(.latest, debounce: .milliseconds(300))

  func start(_ context: Context<NoConfig>) {
    didSearch.start(search) { query in
      self.loading.value = true
      let response = try await self.http.get("https://example.org/?q=\(query)")
      self.items.value = try response.decode([Item].self)
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
