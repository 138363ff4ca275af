/// The JSON types that a schema allows.
struct SchemaTypes: OptionSet {
  let rawValue: UInt8

  static let null = SchemaTypes(rawValue: 1)
  static let boolean = SchemaTypes(rawValue: 2)
  static let integer = SchemaTypes(rawValue: 4)
  /// A number with a fraction. The type `number` is this and `integer`.
  static let fraction = SchemaTypes(rawValue: 8)
  static let string = SchemaTypes(rawValue: 16)
  static let array = SchemaTypes(rawValue: 32)
  static let object = SchemaTypes(rawValue: 64)

  static let number: SchemaTypes = [.integer, .fraction]
  static let all = SchemaTypes(rawValue: 127)

  /// The types by the names that schemas use, in the order in which messages list them.
  static let names: [(name: String, types: SchemaTypes)] = [
    ("string", .string), ("number", .number), ("integer", .integer), ("boolean", .boolean),
    ("array", .array), ("object", .object), ("null", .null),
  ]

  /// The types, as in `a string` or `null`.
  var descriptions: [String] {
    Self.names.filter { contains($0.types) && !($0.name == "integer" && contains(.number)) }
      .map { name, _ in
        name == "null" ? name : "\("aio".contains(name.prefix(1)) ? "an" : "a") \(name)"
      }
  }

  /// The types that a value with this first byte may have.
  init(firstByte byte: UInt8) {
    switch byte {
    case 0x22: self = .string
    case 0x7B: self = .object
    case 0x5B: self = .array
    case 0x74, 0x66: self = .boolean
    case 0x6E: self = .null
    case 0x2D, 0x30...0x39: self = .number
    default: self = []
    }
  }

  init(rawValue: UInt8) { self.rawValue = rawValue }

  /// The type of a canonical number.
  init(number: Span<UInt8>) {
    var isFraction = false
    for index in 0..<number.count {
      switch number[index] {
      // 1.5e+21 is an integer, and canonical JSON writes no smaller number with this exponent.
      case 0x65: isFraction = number[index + 1] == 0x2D
      case 0x2E: isFraction = true
      default: break
      }
    }
    self = isFraction ? .fraction : .integer
  }
}

/// One schema of a compiled document: numbers that refer to the validator's tables.
///
/// It holds no references, because counting them would cost more than most checks.
struct SchemaRule {
  /// The rule that any value fits, and the rule that none does.
  static let any = 0
  static let none = 1

  var types = SchemaTypes.all
  /// The members with rules of their own, in the order of canonical JSON.
  var members = 0..<0
  /// How many of the members are required.
  var requiredCount = 0
  /// The rule of all other members.
  var others = SchemaRule.any
  /// The rule of an array's elements.
  var items = SchemaRule.any
  /// The values that are allowed, sorted by their bytes; nil if all are.
  var constants: Range<Int>?
  /// The index of its limits, or -1.
  var limits = -1
  /// The lists of schemas that apply to the same value.
  var groups = 0..<0

  /// Whether nothing but other schemas restricts the value.
  var hasOnlyGroups: Bool {
    types == .all && constants == nil && limits < 0 && !restrictsObjects && items == SchemaRule.any
  }
  /// The types, if only they matter, else none.
  var onlyTypes: SchemaTypes { hasOnlyTypes ? types : [] }
  var restrictsObjects: Bool { !members.isEmpty || others != SchemaRule.any }
  /// Whether only the type matters.
  var hasOnlyTypes: Bool {
    constants == nil && limits < 0 && !restrictsObjects && items == SchemaRule.any
      && groups.isEmpty
  }
}

/// A member of an object that a schema names.
struct SchemaMember {
  /// Its canonical key with quotes and the colon after them, among the validator's texts.
  let key: Range<Int>
  let rule: Int
  let isRequired: Bool
  /// The types of the rule, if only they matter, else none.
  var onlyTypes: SchemaTypes = []
  /// The first 8 bytes of the key, and the bits that it has of them.
  let word: UInt64
  let mask: UInt64

  init(key: Range<Int>, in texts: [UInt8], rule: Int, isRequired: Bool) {
    self.key = key
    self.rule = rule
    self.isRequired = isRequired
    let first = texts[key].prefix(8)
    word = first.reversed().reduce(0) { $0 << 8 | UInt64($1) }
    mask = .max >> UInt64(64 - 8 * first.count)
  }

  /// The key without its quotes.
  var content: Range<Int> { (key.lowerBound + 1)..<(key.upperBound - 2) }
}

/// Limits of sizes and numbers.
struct SchemaLimits {
  var minCharacters = 0
  var maxCharacters = Int.max
  var minElements = 0
  var maxElements = Int.max
  /// Canonical numbers.
  var minimum: [UInt8]?
  var maximum: [UInt8]?

  var isLimiting: Bool {
    minCharacters > 0 || maxCharacters < .max || minElements > 0 || maxElements < .max
      || minimum != nil || maximum != nil
  }

  func allows(characters count: Int) -> Bool { count >= minCharacters && count <= maxCharacters }
  func allows(elements count: Int) -> Bool { count >= minElements && count <= maxElements }
}

/// Schemas of which all, at least one or exactly one must fit.
struct SchemaGroup {
  enum Kind { case all, any, one }

  let kind: Kind
  /// Among the validator's branches, each of which is the index of a rule.
  let branches: Range<Int>
}
