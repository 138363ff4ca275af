import ViewModelKit

/// Shows who a person is.
final class PersonViewModel: ViewModel {
  static let id = "account.person"

  /// A person; the sex is 0 for male.
  let personLoaded = Input<LoadedPerson>()
  let person = State<PersonRow?>(nil)

  struct LoadedPerson: Codable, Sendable {
    let name: String
    let sex: Int
  }

  struct PersonRow: Codable, Equatable, Sendable {
    let name: String
    let sex: String
  }

  func start(_ context: Context<NoConfig>) {
    personLoaded.on { loaded in
      self.person.value = PersonRow(name: loaded.name, sex: loaded.sex == 0 ? "男" : "女")
    }
  }
}
