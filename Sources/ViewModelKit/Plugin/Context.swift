/// The surroundings of an instance: its config, time, locale, randomness, and the log.
///
/// A view model may keep it. `now` is the time of the latest event, never a clock.
@ViewModelActor public final class Context<Config: ViewModelConfig> {
  public let config: Config
  /// The instance's random numbers, the same for the same session seed:
  /// `Int.random(in: 1...6, using: &context.random)`.
  public var random: SeededRandom
  private let instance: Instance

  init(config: Config, instance: Instance, seed: UInt64) {
    self.config = config
    self.instance = instance
    random = SeededRandom(seed: seed)
  }

  /// A BCP 47 or POSIX name: `"en_US"`.
  public var locale: String { instance.environment.locale }
  /// An IANA name: `"UTC"`.
  public var timeZone: String { instance.environment.timeZone }
  /// The session's beginning, in nanoseconds since 1970-01-01T00:00:00Z.
  public var epoch: Int64 { instance.environment.epoch }
  /// The time since the session's beginning.
  public var now: Duration { .nanoseconds(instance.now) }

  /// Writes a line to the session's log.
  public func log(_ level: LogLevel, _ message: String) { instance.log(level, message) }
}
