/// The options of a session. They have the same defaults as on the command line.
public struct SessionOptions: Sendable {
  /// What makes time pass in a session.
  public enum Clock: Sendable {
    /// The machine's clock.
    case live
    /// Only `advance(by:)` and `idle()`, which return without waiting for time to pass.
    case virtual
  }

  /// Where the values that plugins store are kept.
  public enum Store: Sendable, Equatable {
    /// In memory, until the session ends.
    case memory
    /// In an SQLite file at this path, which is created if it doesn't exist.
    case file(String)
  }

  /// What makes time pass.
  public var clock: Clock
  /// The seed of the plugins' random numbers; nil for a random one.
  public var seed: UInt64?
  /// The date at which the session begins, as time since 1970-01-01T00:00:00Z; nil for now.
  public var time: Duration?
  /// The locale that view models get, such as `en_US` or `zh-Hant-TW`.
  public var locale: String
  /// The time zone that view models get, such as `Europe/Berlin`: an IANA name that this machine
  /// knows.
  public var timeZone: String
  /// The values of secrets, by the names that configs use, as in `"$secret:tmdb"`. Outputs, frames,
  /// log messages and errors show `SECRET_tmdb` instead of the value. Handlers and programs that
  /// answer effects get the value.
  ///
  /// The key `movies:tmdb` is for the plugin `movies` only. Of several plugins, only such a one
  /// gets a secret that nothing but its default config names.
  public var secrets: [String: String]
  /// Where the values that plugins store are kept.
  public var store: Store
  /// The ids of plugins that may have what another library has kept in the store under their id.
  public var adoptedStores: Set<String>
  /// What answers effects, by the names of the effects. Unless they are named here, `vmhost-http`
  /// answers `http`, and the session itself answers timers and storage.
  public var effects: [String: EffectAnswer]
  /// How long a plugin in a process of its own may take for one event. It must be positive. Less
  /// than a nanosecond counts as a nanosecond, more than 24 hours as 24 hours.
  public var stepTimeout: Duration
  /// What plugins may cost the host. Each limit must be positive; one that is larger than the
  /// command line takes counts as the largest.
  public var limits: StepLimits
  /// Gets the messages of plugins, of the flow and of programs that answer effects, in order. It is
  /// called on the session's thread, which waits for it.
  public var log: (@Sendable (LogMessage) -> Void)?

  /// Makes options. They are checked when a session is started.
  public init(
    clock: Clock = .live, seed: UInt64? = nil, time: Duration? = nil, locale: String = "en_US",
    timeZone: String = "UTC", secrets: [String: String] = [:], store: Store = .memory,
    adoptedStores: Set<String> = [],
    effects: [String: EffectAnswer] = [:], stepTimeout: Duration = .seconds(10),
    limits: StepLimits = StepLimits(),
    log: (@Sendable (LogMessage) -> Void)? = nil
  ) {
    self.clock = clock
    self.seed = seed
    self.time = time
    self.locale = locale
    self.timeZone = timeZone
    self.secrets = secrets
    self.store = store
    self.adoptedStores = adoptedStores
    self.effects = effects
    self.stepTimeout = stepTimeout
    self.limits = limits
    self.log = log
  }
}
