import ViewModelKit

/// Puts the layers of the profile together.
enum ProfileComposition {
  static func profileUpdates(timer: Timer) -> some ProfileUpdates {
    MockWebProfileUpdates(timer: timer)
  }
}
