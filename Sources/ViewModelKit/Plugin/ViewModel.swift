// Authors use JSONValue with effects, and should need one import.
@_exported public import CanonicalJSON

/// A view model: inputs, states and signals as stored properties, wired up in `start`.
///
/// Ports, effects and works are found by their property names, in the order of declaration. They
/// must be stored properties of the view model itself, not of something it holds.
@ViewModelActor public protocol ViewModel: AnyObject {
  associatedtype Config: ViewModelConfig = NoConfig

  /// The name by which a host asks for it, such as `"movies.list"`.
  static var id: String { get }

  /// Makes one with its first values. Also called once for the manifest, so it does nothing else.
  init()

  /// Wires inputs to states. Called once, before the first event.
  ///
  /// Closures may capture `self`: they are let go when the instance ends. A state set in here only
  /// replaces its first value.
  func start(_ context: Context<Config>)
}
