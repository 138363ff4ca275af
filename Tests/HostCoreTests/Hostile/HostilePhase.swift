/// When in a plugin's life one of the hostile fixtures acts.
enum HostilePhase: String, CaseIterable, Sendable {
  /// In a constructor, which runs before the second stage of confinement.
  case load
  case manifest, create, send, poll, destroy

  /// An instance's config can name what is to happen in it.
  var isOfInstance: Bool { self != .load && self != .manifest }

  /// The whole sentence for a plugin that ends or hangs in this phase.
  func error(of plugin: String, _ words: String) -> String {
    switch self {
    case .load, .manifest: "Could not load \"\(plugin)\": it \(words) while it was loaded."
    case .create: "\(plugin) \(words) while it opened acting."
    case .send, .poll: "\(plugin) \(words) while it handled the input \"go\"."
    case .destroy: "\(plugin) \(words) while it closed acting."
    }
  }

  /// What comes out of an instance that is opened, told to `go` and closed, if it ends in this
  /// phase.
  var eventsBefore: [String] {
    switch self {
    case .load, .manifest, .create: []
    case .send, .poll: ["< count 0"]
    case .destroy: ["< count 0", "< count 1"]
    }
  }
}

/// What a user sees of a hostile act.
enum HostileOutcome: Equatable, Sendable, CustomStringConvertible {
  /// The plugin goes on, having printed this.
  case says(String)
  /// The plugin goes on, and is heard no more.
  case silent
  /// The host says this of the plugin: that it crashed, ended, lied.
  case ends(String)
  /// The plugin doesn't come back.
  case hangs
  /// The whole error, whatever the phase.
  case fails(String)

  var description: String {
    switch self {
    case .says(let words): "says \"\(words)\""
    case .silent: "goes on in silence"
    case .ends(let words): "ends: \(words)"
    case .hangs: "hangs"
    case .fails(let words): "fails: \(words)"
    }
  }

  static let done = says("done")
  static let notPermitted = says("Operation not permitted")
  static let denied = says("Permission denied")

  static func crash(_ signal: Int, _ name: String) -> Self {
    .ends("crashed with signal \(signal) (\(name))")
  }
  static let fault = crash(11, "Segmentation fault")
  static func exit(_ status: Int) -> Self { .ends("ended its process (exit status \(status))") }
}
