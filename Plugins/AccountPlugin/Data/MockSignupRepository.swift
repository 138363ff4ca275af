import ViewModelKit

/// Makes no account, but takes a second for it and fails one time in five.
struct MockSignupRepository: SignupRepository {
  let timer: Timer
  let random: RandomNumber

  /// Gives a number of a range by the session's chance.
  typealias RandomNumber = @ViewModelActor @Sendable (Range<Int>) -> Int

  func signUp(_ account: NewAccount) async throws -> Bool {
    let succeeds = await random(0..<5) != 0
    do {
      try await timer.sleep(for: .seconds(1))
    } catch is EffectError {
      return false
    }
    return succeeds
  }
}
