import CanonicalJSON

/// What all instances of one library share.
@ViewModelActor enum Image {
  /// How many instances have events that wait to be polled.
  static var waiting = 0
  /// How many instances live.
  static var living = 0
  /// The living instance that the host's latest call was for.
  static var current: Instance?
  /// What is known of the ports' types. Forgotten once the manifest is made.
  static var trials = TypeTrials()
  /// The names of the parts that each view model had for the manifest.
  static var partNames: [ObjectIdentifier: [String]] = [:]
  /// Where they are in each view model of which there was an instance; nil if only Mirror can tell.
  static var partPlans: [ObjectIdentifier: PartPlan?] = [:]
  /// What reads each type of config, since finding out what one may have takes long.
  static var configReaders: [ObjectIdentifier: Any] = [:]
  /// Calls that never return. They are kept because the runtime reports dropped continuations.
  static var abandoned: [CheckedContinuation<Void, Never>] = []
}
