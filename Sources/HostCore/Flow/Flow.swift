package import CanonicalJSON

/// Which signal opens, closes or feeds which instance: what a flow file says, looked up in the
/// manifests of a session.
package struct Flow: Sendable {
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

  /// So much a flow may do in one step before it counts as endless.
  static let mostActions = 1000

  package let path: String
  package let start: Opening
  /// The start and all that signals open, in the order of the file.
  let openings: [Opening]
  /// What signals lead to, by the handle and the number of the output.
  let actions: [String: [Int32: [Action]]]

  /// The view model of the instances that the flow calls so; nil for a name that it doesn't know.
  func viewModel(of handle: String) -> String? {
    openings.first { $0.handle == handle }?.viewModel
  }

  /// Reads a flow file for a session with these plugins.
  package init(contentsOf path: String, _ manifests: [PluginManifest]) throws(FlowError) {
    try self.init(try Self.read(path), path: path, manifests)
  }

  /// - Parameter path: what to call it in messages.
  package init(
    _ bytes: [UInt8], path: String, _ manifests: [PluginManifest]
  ) throws(FlowError) {
    do throws(ScriptError) {
      var reader = try FlowReader(bytes, path: path, manifests)
      self = try reader.flow()
    } catch {
      throw FlowError(error.report(source: path, number: 1, line: bytes.span))
    }
  }

  init(
    path: String, start: Opening, openings: [Opening], actions: [String: [Int32: [Action]]]
  ) {
    self.path = path
    self.start = start
    self.openings = openings
    self.actions = actions
  }

  /// The secrets that a flow file names; none for one that can't be read, which shows where it is
  /// used.
  package static func secrets(inFile path: String) -> Set<String> {
    guard let bytes = try? read(path), let value = try? JSONValue(parsing: bytes.span) else {
      return []
    }
    return Secrets.names(in: value)
  }

  private static func read(_ path: String) throws(FlowError) -> [UInt8] {
    do throws(SystemError) {
      // Opening a pipe would wait for its other end.
      if try Files.kind(of: path) == .regular { return try Files.read(path) }
    } catch {
      throw FlowError("could not read the flow \"\(path)\": \(error.reason).")
    }
    throw FlowError("could not read the flow \"\(path)\": it is not a file.")
  }
}

/// What is wrong with a flow file, with the place and the line.
package struct FlowError: Error, Equatable, Sendable, CustomStringConvertible {
  package let description: String

  init(_ description: String) { self.description = description }
}
