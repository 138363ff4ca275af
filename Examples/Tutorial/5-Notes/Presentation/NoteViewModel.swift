import ViewModelKit

/// A note about one repository, which is there again the next time.
final class NoteViewModel: ViewModel {
  static let id = "repositories.note"

  struct Config: ViewModelConfig {
    /// The id of the repository.
    var repository: Int64 = 0
  }

  /// Send the text at each keystroke.
  let didChangeText = Input<String>()
  /// Send when the field loses the focus, or the view goes away.
  let didEndEditing = Input<NoValue>()

  let text = State("", .distinct)
  /// Whether the text is stored.
  let isSaved = State(true, .distinct)

  let storage = Storage()

  let load = Work(.latest)
  let save = Work(.queued, debounce: .seconds(1))

  func start(_ context: Context<Config>) {
    let key = "note.\(context.config.repository)"
    load.start { self.text.value = try await self.storage.get(key) ?? "" }
    didChangeText.on { text in
      self.load.cancel()
      self.text.value = text
      self.isSaved.value = false
      self.save.start { try await self.store(key) }
    }
    didEndEditing.on {
      if !self.isSaved.value { self.save.startAtOnce { try await self.store(key) } }
    }
  }

  private func store(_ key: String) async throws {
    let stored = text.value
    try await storage.set(key, stored)
    isSaved.value = text.value == stored
  }
}
