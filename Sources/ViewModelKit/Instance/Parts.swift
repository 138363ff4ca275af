/// The parts of a view model, in the order of declaration, with their names filled in.
@ViewModelActor struct Parts {
  var all: [ViewModelPart] = []

  init(of model: AnyObject) {
    collect(Mirror(reflecting: model))
  }

  var inputs: [InputPart] { all.compactMap { $0 as? InputPart } }
  var states: [StatePart] { all.compactMap { $0 as? StatePart } }
  var signals: [SignalPart] { all.compactMap { $0 as? SignalPart } }

  /// The effects that the parts may ask for, each once.
  var requests: [String] {
    var names: [String] = []
    for name in all.flatMap(\.requests) where !names.contains(name) { names.append(name) }
    return names
  }

  private mutating func collect(_ mirror: Mirror) {
    if let parent = mirror.superclassMirror { collect(parent) }
    for child in mirror.children {
      guard let part = child.value as? ViewModelPart, let label = child.label else { continue }
      part.name = Array(label.utf8)
      all.append(part)
    }
  }
}
