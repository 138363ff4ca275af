package import CanonicalJSON

/// The rules that the engine follows: which signal opens, closes or feeds which instance.
///
/// `Flow/` resolves them from a flow file and the manifests of a session.
package struct FlowRules: Sendable {
  /// An instance that the flow opens.
  package struct Opening: Sendable {
    package let viewModel: String
    package let handle: String
    /// The handle if it isn't the view model's default one, else nil.
    package let givenHandle: String?
    /// A template, in which `"$value"` stands for the signal's value.
    package let config: JSONValue?
  }

  /// The value that an input is fed.
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
    /// The file, line and column of the action, as in `movies.json:12:5`.
    let location: String
  }

  /// Actions in one step after which a flow counts as endless.
  static let maxActions = 1000

  package let path: String
  /// The instances that the flow opens at its start, at least one.
  package let starts: [Opening]
  /// All instances that the flow opens, at its start or for a signal, in the order of the file.
  package let openings: [Opening]
  /// The actions that a signal leads to, by its instance's handle and the number of the output.
  let actions: [String: [Int32: [Action]]]

  /// The view model of the instances that have `handle` in the flow; nil for an unknown handle.
  func viewModel(of handle: String) -> String? {
    openings.first { $0.handle == handle }?.viewModel
  }
}
