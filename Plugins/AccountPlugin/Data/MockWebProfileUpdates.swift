import ViewModelKit

/// Pretends to be a server that pushes a profile at once, after 3 s and after 5 s.
struct MockWebProfileUpdates: ProfileUpdates {
  private static let pushes: [(delay: Duration, profile: Profile)] = [
    (.zero, Profile(name: "Chris1", age: 1, city: "Shanghai1")),
    (.seconds(3), Profile(name: "Chris18", age: 18, city: "Shanghai18")),
    (.seconds(5), Profile(name: "Chris28", age: 28, city: "iloveShanghai28")),
  ]

  let timer: Timer

  func request() -> [@Sendable () async throws -> Profile] {
    Self.pushes.map { push in
      {
        if push.delay > .zero { try await timer.sleep(for: push.delay) }
        return push.profile
      }
    }
  }
}
