import Synchronization

/// Shows a watchdog on another thread what a plugin is doing. It costs two stores a step.
package final class StepMonitor: Sendable {
  /// A call that the plugin hasn't returned from.
  package struct Step: Equatable, Sendable {
    package let instance: Int32
    /// The raw value of an `EventKind`, 0 for the creation of the instance, `ending` or `loading`.
    package let kind: UInt8
    package let port: Int32
  }

  // The step is packed into one word, so that nobody sees it half written: a counter that
  // distinguishes equal steps (16 bits), kind (8), port + 1 (16), instance + 1 (24). 0 means idle.
  private let word = Atomic<UInt64>(0)
  private let counter = Atomic<UInt64>(0)

  /// The kind for the end of an instance. No `EventKind` has this raw value.
  static let ending: UInt8 = 255
  /// The kind for everything before the first instance, from the linker to the manifest.
  static let loading: UInt8 = 254

  private struct Names {
    var plugin: String
    var viewModels: [Int32: ViewModelManifest] = [:]
  }

  private let names: Mutex<Names>

  /// - Parameter name: the plugin as the user named it.
  package init(plugin name: String) { names = Mutex(Names(plugin: name)) }

  /// The plugin's id, or the user's name for it until the id is known.
  package var plugin: String { names.withLock(\.plugin) }

  /// Sets the plugin's id.
  func register(plugin id: String) { names.withLock { $0.plugin = id } }

  /// Sets or removes the view model of an instance, for descriptions.
  func register(_ instance: Int32, _ viewModel: ViewModelManifest?) {
    names.withLock { $0.viewModels[instance] = viewModel }
  }

  /// Describes a step, as in `the input "didSearch" of movies.list`.
  package func description(of step: Step) -> String {
    if step.kind == Self.loading { return "its loading" }
    guard let viewModel = names.withLock({ $0.viewModels[step.instance] }) else { return "a call" }
    if step.kind == Self.ending { return "the closing of \(viewModel.id)" }
    switch EventKind(rawValue: UInt32(step.kind)) {
    case .input:
      guard viewModel.inputs.indices.contains(Int(step.port)) else { return "an input" }
      return "the input \"\(viewModel.inputs[Int(step.port)].name)\" of \(viewModel.id)"
    case nil: return "the opening of \(viewModel.id)"
    default: return "a reply to \(viewModel.id)"
    }
  }

  func begin(instance: Int32, kind: UInt8, port: Int32) {
    let number = counter.load(ordering: .relaxed) &+ 1
    counter.store(number, ordering: .relaxed)
    word.store(
      (number & 0xffff) << 48 | UInt64(kind) << 40 | UInt64(UInt32(bitPattern: port &+ 1) & 0xffff)
        << 24 | UInt64(UInt32(bitPattern: instance &+ 1) & 0xff_ffff),
      ordering: .relaxed)
  }

  func end() { word.store(0, ordering: .relaxed) }

  /// The current step as a word that stays the same while the step lasts; 0 if there is none.
  var current: UInt64 { word.load(ordering: .relaxed) }

  static func step(of word: UInt64) -> Step {
    Step(
      instance: Int32(word & 0xff_ffff) - 1, kind: UInt8(word >> 40 & 0xff),
      port: Int32(word >> 24 & 0xffff) - 1)
  }
}
