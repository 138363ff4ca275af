import ViewModelKit

/// Shows a user in a cell.
final class UserCellViewModel: ViewModel {
  static let id = "account.user-cell"

  let configureWithUser = Input<User>()
  let cell = State<UserCell?>(nil)

  struct User: Codable, Sendable, UserCellData {
    let name: String
    let age: Int
  }

  struct UserCell: Codable, Equatable, Sendable {
    let name: String
    let age: String

    init(_ data: some UserCellData) {
      name = data.name
      age = String(data.age)
    }
  }

  func start(_ context: Context<NoConfig>) {
    configureWithUser.on { user in self.cell.value = UserCell(user) }
  }
}
