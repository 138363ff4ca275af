import ViewModelKit

/// Keeps a profile and the fields that show it the same, whoever changes them.
final class ProfileViewModel: ViewModel {
  static let id = "account.profile"

  /// Send once the fields are there; before it they are neither read nor written.
  let bind = Input<NoValue>()
  /// Send what a field has each time that the user changes it.
  let nameChanged = Input<String>()
  let ageChanged = Input<String>()
  let cityChanged = Input<String>()
  /// Send to have the profile changed from outside, now and twice later.
  let updateModelFromMockWeb = Input<NoValue>()

  /// What the fields show.
  let name = State("name")
  let age = State("age")
  let city = State("city")

  let timer = Timer()

  let updates = Work(.concurrent)

  func start(_ context: Context<NoConfig>) {
    let fields = bindFields(to: Profile())
    bind.on {
      fields.name.bind()
      fields.age.bind()
      fields.city.bind()
    }
    let web = AccountComposition.profileUpdates(timer: timer)
    updateModelFromMockWeb.on {
      for update in web.request() {
        self.updates.start {
          let profile = try await update()
          fields.name.value = profile.name
          fields.age.value = profile.age
          fields.city.value = profile.city
        }
      }
    }
  }

  private struct Fields {
    let name: TwoWayBinding<String?, String>
    let age: TwoWayBinding<Int, String>
    let city: TwoWayBinding<String?, String>
  }

  private func bindFields(to profile: Profile) -> Fields {
    Fields(
      name: TwoWayBinding(
        profile.name, input: nameChanged, field: name, read: { $0 }, show: { $0 }),
      age: TwoWayBinding(
        profile.age, input: ageChanged, field: age, read: AgeText.number, show: { String($0) }),
      city: TwoWayBinding(
        profile.city, input: cityChanged, field: city, read: { $0 }, show: { $0 }))
  }
}
