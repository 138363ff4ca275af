/// What a session is like. Each option has the default of the command line.
public struct SessionOptions: Sendable {
  /// What makes time pass.
  public enum Clock: Sendable {
    /// The machine's clock.
    case live
    /// Only `advance(by:)` and `idle()`, both of which then take no time.
    case virtual
  }

  /// Where plugins' stored values live.
  public enum Store: Sendable, Equatable {
    /// As long as the session.
    case memory
    /// In an SQLite file at this path, which is made if there is none.
    case file(String)
  }

  public var clock: Clock
  /// The seed of all chance; nil for one that nobody knows.
  public var seed: UInt64?
  /// When the session begins, since 1970-01-01T00:00:00Z; nil for now.
  public var time: Duration?
  public var locale: String
  public var timeZone: String
  /// By the names that configs use, as in `"$secret:tmdb"`. In outputs, frames, log messages and
  /// errors `SECRET_tmdb` stands where the value was; who answers effects gets the value.
  public var secrets: [String: String]
  public var store: Store
  /// Who answers effects. `http` is answered by `vmhost-http` unless it is named here; so are
  /// timers and storage by the session itself.
  public var effects: [String: EffectAnswer]
  /// How long a plugin in a process of its own may take over one event: longer than nothing. Less
  /// than a nanosecond counts as a nanosecond, more than 24 hours as 24 hours.
  public var stepTimeout: Duration
  /// Gets what plugins and programs that answer effects have to say to people, in order. It is
  /// called on the session's thread, which waits for it.
  public var log: (@Sendable (LogMessage) -> Void)?

  public init(
    clock: Clock = .live, seed: UInt64? = nil, time: Duration? = nil, locale: String = "en_US",
    timeZone: String = "UTC", secrets: [String: String] = [:], store: Store = .memory,
    effects: [String: EffectAnswer] = [:], stepTimeout: Duration = .seconds(10),
    log: (@Sendable (LogMessage) -> Void)? = nil
  ) {
    self.clock = clock
    self.seed = seed
    self.time = time
    self.locale = locale
    self.timeZone = timeZone
    self.secrets = secrets
    self.store = store
    self.effects = effects
    self.stepTimeout = stepTimeout
    self.log = log
  }
}
