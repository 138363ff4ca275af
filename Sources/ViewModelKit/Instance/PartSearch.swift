/// Looks for a view model's parts in the structs and classes that its stored properties hold.
@ViewModelActor struct PartSearch {
  typealias Found = (part: ViewModelPart, name: String, path: String)

  /// How many values of one view model are looked at. A large one may be of any size.
  private static let maxValues = 100_000
  private static let lazyPrefix = "$__lazy_storage_$_"

  /// The parts in properties of the view model itself. They have their names from there, wherever
  /// else they are.
  private let own: Set<ObjectIdentifier>
  private var made: [ViewModelPart]
  private var missing: Set<ObjectIdentifier>
  /// How many parts there are at least.
  private let count: Int
  private var found: [Found] = []
  private var known: Set<ObjectIdentifier> = []
  private var visited: Set<ObjectIdentifier> = []
  private var values = 0
  /// Whether it also looks where parts may not be, so as to say where they are.
  private var isThorough = false

  init(own: [ViewModelPart], made: consuming [ViewModelPart], count: Int) {
    self.own = Set(own.map { ObjectIdentifier($0) })
    missing = Set(made.map { ObjectIdentifier($0) })
    self.made = made
    self.count = count
  }

  /// Finds all that was made.
  ///
  /// - Throws: `PartMistake` for a part that is no property, or was made before.
  mutating func run(in model: AnyObject) throws -> [Found] {
    try search(Mirror(reflecting: model))
    guard let lost = firstLost() else { return found }
    (isThorough, values, visited) = (true, 0, [])
    try search(Mirror(reflecting: model))
    throw PartMistake.lost(lost)
  }

  /// The first part that was made but not found. One that nobody has any more doesn't count if
  /// another of its type was found, which may have taken its place.
  private mutating func firstLost() -> ViewModelPart? {
    let types = Set(found.map { ObjectIdentifier(type(of: $0.part)) })
    for index in made.indices where missing.contains(ObjectIdentifier(made[index])) {
      let isReplaced =
        types.contains(ObjectIdentifier(type(of: made[index])))
        && isKnownUniquelyReferenced(&made[index])
      if !isReplaced { return made[index] }
    }
    return nil
  }

  // MARK: Walking

  private var isDone: Bool {
    values >= Self.maxValues || (missing.isEmpty && found.count >= count)
  }

  /// Looks at the properties of a struct or class.
  private mutating func search(
    _ mirror: Mirror, at place: String = "", in holder: PartMistake.Holder? = nil
  ) throws {
    if let parent = mirror.superclassMirror { try search(parent, at: place, in: holder) }
    for child in mirror.children where !isDone {
      guard let label = child.label else { continue }
      try Self.refuseLazy(child.value, label, in: place)
      let path = Self.path(place, label)
      try look(at: child.value, label, path, in: holder)
    }
  }

  private mutating func look(
    at value: Any, _ label: String, _ path: String, in holder: PartMistake.Holder?
  ) throws {
    values += 1
    if let part = value as? ViewModelPart { return try take(part, label, path, in: holder) }
    let mirror = Mirror(reflecting: value)
    switch mirror.displayStyle {
    case .class?:
      guard visited.insert(ObjectIdentifier(value as AnyObject)).inserted else { return }
      try search(mirror, at: path, in: holder)
    case .struct?: try search(mirror, at: path, in: holder)
    case .optional?:
      for child in mirror.children { try look(at: child.value, label, path, in: holder) }
    case let style? where isThorough:
      try searchHolder(mirror, style, label, path)
    case _: return
    }
  }

  /// Looks at what a value holds where the kit doesn't take parts from.
  private mutating func searchHolder(
    _ mirror: Mirror, _ style: Mirror.DisplayStyle, _ label: String, _ path: String
  ) throws {
    let holder: PartMistake.Holder
    switch style {
    case .tuple: holder = .tuple
    case .enum: holder = .enum
    case .collection: holder = .array
    case .set: holder = .set
    case .dictionary: holder = .dictionary
    case _: return
    }
    for (index, child) in mirror.children.enumerated() where !isDone {
      switch holder {
      case .tuple, .enum:
        let name = child.label.map { $0.drop { $0 == "." } } ?? ""
        try look(at: child.value, label, "\(path).\(name)", in: holder)
      case .array: try look(at: child.value, label, "\(path)[\(index)]", in: holder)
      case .set: try look(at: child.value, label, path, in: holder)
      case .dictionary:
        for entry in Mirror(reflecting: child.value).children {
          try look(at: entry.value, label, path, in: holder)
        }
      }
    }
  }

  private mutating func take(
    _ part: ViewModelPart, _ label: String, _ path: String, in holder: PartMistake.Holder?
  ) throws {
    let id = ObjectIdentifier(part)
    guard part.name.isEmpty else { throw PartMistake.shared(part, at: path) }
    if own.contains(id), path != label { return }
    guard known.insert(id).inserted else { return }
    if let holder { throw PartMistake.held(part, at: path, in: holder) }
    missing.remove(id)
    found.append((part, label, path))
  }

  // MARK: Lazy properties

  /// Refuses a lazy property that has or would have a part.
  static func refuseLazy(_ value: Any, _ label: String, in place: String = "") throws {
    guard label.utf8.first == UInt8(ascii: "$"), label.hasPrefix(lazyPrefix),
      let storage = type(of: value) as? any LazyStorage.Type,
      let part = storage.valueType as? ViewModelPart.Type
    else { return }
    throw PartMistake.lazy(part, at: path(place, label.dropFirst(lazyPrefix.count)))
  }

  private static func path(_ place: String, _ label: some StringProtocol) -> String {
    place.isEmpty ? String(label) : "\(place).\(label)"
  }
}

/// What the compiler stores a lazy property as.
private protocol LazyStorage {
  static var valueType: any Any.Type { get }
}

extension Optional: LazyStorage {
  fileprivate static var valueType: any Any.Type { Wrapped.self }
}
