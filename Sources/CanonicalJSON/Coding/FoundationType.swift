/// A type of Foundation for which `FoundationScalar` is meant, in a process that has loaded it.
///
/// What these types write by their own conformances to Codable is no JSON that anyone expects: a
/// URL is an object, a Data an array. So without `ViewModelKitFoundation` they are refused.
struct FoundationType: Sendable {
  let name: String
  let id: ObjectIdentifier
  /// Nil where `ViewModelKitFoundation` isn't linked.
  let scalar: (any FoundationScalar.Type)?

  /// All of them, or none.
  private static let loaded: [FoundationType] = {
    var types: [FoundationType] = []
    for name in ["Decimal", "URL", "Data", "Date", "UUID"] {
      // The mangled name of a struct.
      let mangled = "20FoundationEssentials\(name.utf8.count)\(name)V"
      guard let type = _typeByName(mangled) else { return types }
      // All of them conform, or none, and to find out that one doesn't takes long.
      let mayConform = types.first.map { $0.scalar != nil } ?? true
      types.append(
        FoundationType(
          name: name, id: ObjectIdentifier(type),
          scalar: mayConform ? type as? any FoundationScalar.Type : nil))
    }
    return types
  }()

  static func of(_ type: any Any.Type) -> FoundationType? {
    loaded.isEmpty ? nil : loaded.first { $0.id == ObjectIdentifier(type) }
  }

  /// Whether there are types that are refused.
  static let hasRefused = loaded.contains { $0.scalar == nil }

  /// Why it is refused.
  var refusal: String {
    "\(name) has no JSON form without \"import ViewModelKitFoundation\";"
      + " add that product to the target's dependencies, too"
  }
}
