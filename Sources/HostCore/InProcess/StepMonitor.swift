import Synchronization

/// What a plugin is at, for a watchdog on another thread to see. Two stores a step.
package final class StepMonitor: Sendable {
  /// What the plugin was given and hasn't come back from.
  package struct Step: Equatable, Sendable {
    package let instance: Int32
    /// An `EventKind`'s number, 0 for the making of the instance, `ending` or `loading`.
    package let kind: UInt8
    package let port: Int32
  }

  // Packed into one word, so that it is never seen half written: a counter that tells two equal
  // steps apart (16 bits), kind (8), port + 1 (16), instance + 1 (24). 0: the plugin is idle.
  private let word = Atomic<UInt64>(0)
  private let counter = Atomic<UInt64>(0)

  /// Stands for the end of the instance; no `EventKind` has this number.
  static let ending: UInt8 = 255
  /// Stands for all that comes before the first instance, from the linker to the manifest.
  static let loading: UInt8 = 254

  private struct Names {
    var plugin: String
    var viewModels: [Int32: ViewModelManifest] = [:]
  }

  private let names: Mutex<Names>

  /// - Parameter name: the plugin as the user named it.
  package init(plugin name: String) { names = Mutex(Names(plugin: name)) }

  /// The plugin's id, or what the user named it until that is known.
  package var plugin: String { names.withLock(\.plugin) }

  /// Tells the plugin's id.
  func register(plugin id: String) { names.withLock { $0.plugin = id } }

  /// Tells what an instance is, for words about it.
  func register(_ instance: Int32, _ viewModel: ViewModelManifest?) {
    names.withLock { $0.viewModels[instance] = viewModel }
  }

  /// Words for a step, such as `the input "didSearch" of movies.list`.
  package func words(for step: Step) -> String {
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

  /// The present step as a word that is the same for as long as the step lasts; 0 for none.
  var present: UInt64 { word.load(ordering: .relaxed) }

  static func step(of word: UInt64) -> Step {
    Step(
      instance: Int32(word & 0xff_ffff) - 1, kind: UInt8(word >> 40 & 0xff),
      port: Int32(word >> 24 & 0xffff) - 1)
  }
}
