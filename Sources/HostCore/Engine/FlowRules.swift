package import CanonicalJSON

/// Which signal opens, closes or feeds which instance: the rules that the engine
/// follows. `Flow/` resolves them from a flow file and the manifests of a session.
package struct FlowRules: Sendable {
  /// An instance that the flow opens.
  package struct Opening: Sendable {
    package let viewModel: String
    package let handle: String
    /// The handle, if it isn't the one that the view model has by itself.
    package let givenHandle: String?
    /// A template: `"$value"` in it is the signal's value.
    package let config: JSONValue?
  }

  /// What an input is fed.
  enum Payload: Sendable {
    case nothing, value
    case template(JSONValue)
  }

  enum Act: Sendable {
    case open(Opening, unlessOpen: Bool)
    case close(handle: String)
    case feed(handle: String, port: Int, Payload)
  }

  struct Action: Sendable {
    let act: Act
    /// Where it stands, as in `movies.json:12:5`.
    let place: String
  }

  /// Actions in one step after which a flow counts as endless.
  static let maxActions = 1000
  /// Bytes of configs and values that a flow may give in one step.
  static let maxBytes = 256 << 20

  package let path: String
  /// The instances that are there first, at least one.
  package let starts: [Opening]
  /// The start and all that signals open, in the order of the file.
  package let openings: [Opening]
  /// What signals lead to, by the handle and the number of the output.
  let actions: [String: [Int32: [Action]]]

  /// The view model of the instances that the flow calls so; nil for a name that it doesn't know.
  func viewModel(of handle: String) -> String? {
    openings.first { $0.handle == handle }?.viewModel
  }
}
