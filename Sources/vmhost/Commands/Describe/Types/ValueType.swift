import CanonicalJSON

/// The JSON values that a schema allows, as far as the type checkers of programming languages can
/// tell them apart. Where they can't, a type has more values than the schema.
indirect enum ValueType: Hashable {
  case unknown
  /// No value at all.
  case never
  case null, boolean, integer, number, string
  /// One value, which is neither an array nor an object.
  case literal(JSONValue)
  case array(ValueType)
  case tuple(TupleType)
  case object(ObjectType)
  case union([ValueType])
  /// A definition with this name.
  case named(String)

  /// All values of all types, without what another one has already.
  static func union(of types: [ValueType]) -> ValueType {
    let parts = types.flatMap(\.parts).filter { $0 != .never }
    var rest = Set(parts)
    if rest.contains(.unknown) { return .unknown }
    let whole = rest
    let union = parts.filter { part in
      !part.larger.contains(where: whole.contains) && rest.remove(part) != nil
    }
    return union.count > 1 ? .union(union) : union.first ?? .never
  }

  /// The type that has just this value.
  static func constant(_ value: JSONValue) -> ValueType {
    switch value {
    case .null: .null
    case .bool, .number, .string: .literal(value)
    case .array(let elements):
      .tuple(
        TupleType(elements: elements.map(constant), required: elements.count, others: nil))
    case .object(let members):
      .object(
        ObjectType(
          members: members.sorted { $0.key < $1.key }.map {
            MemberType(name: $0.key, type: constant($0.value), isRequired: true)
          }, others: members.isEmpty ? .never : nil))
    }
  }

  private var parts: [ValueType] { if case .union(let parts) = self { parts } else { [self] } }

  /// Types that have all its values, besides others.
  private var larger: [ValueType] {
    switch self {
    case .integer: [.number]
    case .literal(.string): [.string]
    case .literal(.bool): [.boolean]
    case .literal(.number(let number)):
      number.doubleValue.rounded() == number.doubleValue ? [.number, .integer] : [.number]
    default: []
    }
  }
}

/// Arrays whose first elements have a type each.
struct TupleType: Hashable {
  let elements: [ValueType]
  /// How many of them an array must have.
  let required: Int
  /// The type of all further elements; nil if there can't be any.
  let others: ValueType?

  /// What any of the elements can be.
  var element: ValueType { .union(of: elements + (others.map { [$0] } ?? [])) }
}

struct ObjectType: Hashable {
  var members: [MemberType]
  /// The type of members that have other names; nil if there can't be any, or if none is announced.
  /// One that isn't is most likely misspelt, as in a flow.
  let others: ValueType?

  /// What any member can be, if others than those with a name are announced.
  var anyMember: ValueType? { others.map { .union(of: members.map(\.type) + [$0]) } }

  func member(_ name: String) -> MemberType? { members.first { $0.name == name } }
}

struct MemberType: Hashable {
  let name: String
  var type: ValueType
  var isRequired: Bool
  var description: String?
}
