import ViewModelKit

/// Keeps which theme the user likes.
final class ThemeViewModel: ViewModel {
  static let id = "habits.theme"

  let didSelect = Input<String>()

  let theme = State("light", .distinct)

  let storage = Storage()
  let load = Work(.latest)
  let save = Work(.queued)

  func start(_ context: Context<NoConfig>) {
    load.start { self.theme.value = try await self.storage.get("theme") ?? "light" }
    didSelect.start(save) { theme in
      try await self.storage.set("theme", theme)
      self.theme.value = theme
    }
  }
}
