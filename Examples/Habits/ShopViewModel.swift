import ViewModelKit

/// Searches a shop by a text and a department.
final class ShopViewModel: ViewModel {
  static let id = "habits.shop"

  /// Send the text at each keystroke.
  let didChangeQuery = Input<String>()
  let didSelectDepartment = Input<String>()

  let titles = State([String]())
  /// Emits why a search failed.
  let failed = Signal<String>()

  let http = HTTP()
  let search = Work(.latest, debounce: .milliseconds(300))
  private var searches = Distinct<[String]>()

  func start(_ context: Context<NoConfig>) {
    CombineLatest(didChangeQuery, didSelectDepartment).on { query, department in
      guard self.searches.accepts([query, department]) else { return }
      self.search.start { try await self.find(query, in: department) }
    }
  }

  private func find(_ query: String, in department: String) async throws {
    let path = "\(PercentEncoding.encode(department))?q=\(PercentEncoding.encode(query))"
    do {
      let response = try await http.get("https://shop.example/\(path)")
      titles.value = response.isSuccess ? try response.decode([String].self) : []
    } catch let error as EffectError {
      failed.emit(error.code)
    }
  }
}
