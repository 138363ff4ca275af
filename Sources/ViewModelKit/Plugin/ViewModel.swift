// Authors use JSONValue with effects, and should need only one import.
@_exported public import CanonicalJSON

/// A view model: inputs, states and signals as stored properties, wired up in `start`.
///
/// Ports, effects and works are found by their property names, in the order of declaration, also in
/// structs and classes that stored properties hold. One that is elsewhere is refused.
@ViewModelActor public protocol ViewModel: AnyObject {
  associatedtype Config: ViewModelConfig = NoConfig

  /// The name by which a host opens it, such as `"movies.list"`.
  static var id: String { get }

  /// Sets the first values, and does nothing else: it is also called once for the manifest.
  init()

  /// Wires inputs to states. Called once, before the first event.
  ///
  /// Closures may capture `self`, because they are released when the instance ends. Setting a state
  /// in here only replaces its first value.
  func start(_ context: Context<Config>)
}
