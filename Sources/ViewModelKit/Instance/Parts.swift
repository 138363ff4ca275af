/// The parts of a view model, in the order of declaration, with their names filled in.
@ViewModelActor struct Parts {
  private(set) var all: [ViewModelPart] = []
  /// Where the parts are, such as `inputs.didTap`; empty if each is a property of the view model.
  private var paths: [String] = []

  /// Finds the parts.
  ///
  /// - Parameters:
  ///   - made: what was made when the view model was. All have to be found.
  ///   - before: the names of its prototype's parts, if it had one.
  /// - Throws: `PartMistake`.
  init(
    of model: AnyObject, made: consuming [ViewModelPart], before: [String]? = nil
  ) throws {
    if let plan = Self.plan(for: model, made: made) {
      all = made
      plan.name(all)
      return
    }
    all.reserveCapacity(made.count)
    let isPlain = try collect(Mirror(reflecting: model))
    let count = before?.count ?? made.count
    guard !isPlain || all.count != made.count || all.count != count else { return }
    for index in made.indices { made[index].name = [] }
    var search = PartSearch(own: all, made: consume made, count: count)
    // The search has to know which parts nobody else has.
    all = []
    let found = try search.run(in: model)
    all = found.map(\.part)
    paths = found.map(\.path)
    for (part, name, _) in found { part.name = Array(name.utf8) }
    if let before, all.count != count { throw PartMistake.changed(now: names, before: before) }
  }

  /// The plan that a view model follows; nil if only Mirror can tell. There is none for a class
  /// whose prototype didn't follow it.
  private static func plan(
    for model: AnyObject, made: borrowing [ViewModelPart]
  ) -> PartPlan? {
    let type: AnyClass = type(of: model)
    if let known = Image.partPlans[ObjectIdentifier(type)] {
      if let known, known.holds(for: model, made: made) { return known }
      return nil
    }
    var plan = PartPlan(of: type)
    if let possible = plan, !possible.holds(for: model, made: made) { plan = nil }
    Image.partPlans[ObjectIdentifier(type)] = .some(plan)
    return plan
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

  /// The names of all parts.
  var names: [String] { all.map { String(decoding: $0.name, as: UTF8.self) } }

  /// Collects the view model's own properties. Returns false if one of them has no part of its own,
  /// but one that was named before.
  private mutating func collect(_ mirror: Mirror) throws -> Bool {
    var isPlain = true
    if let parent = mirror.superclassMirror { isPlain = try collect(parent) }
    for child in mirror.children {
      guard let label = child.label else { continue }
      try PartSearch.refuseLazy(child.value, label)
      guard let part = child.value as? ViewModelPart else { continue }
      isPlain = isPlain && part.name.isEmpty
      part.name = Array(label.utf8)
      all.append(part)
    }
    return isPlain
  }

  /// Refuses two inputs, or two outputs, of one name.
  func refuseSameNames() throws {
    var inputs: [String: String] = [:]
    var outputs: [String: String] = [:]
    for (index, (part, name)) in zip(all, names).enumerated() {
      let path = paths.isEmpty ? name : paths[index]
      if part is InputPart {
        if let first = inputs.updateValue(path, forKey: name) {
          throw PartMistake.sameName(name, "input", first, path)
        }
      } else if part is StatePart || part is SignalPart {
        if let first = outputs.updateValue(path, forKey: name) {
          throw PartMistake.sameName(name, "output", first, path)
        }
      }
    }
  }
}
