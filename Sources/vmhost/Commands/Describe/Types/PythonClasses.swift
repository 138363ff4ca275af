import CanonicalJSON

/// Type definitions in Python, with all annotations as text that nothing evaluates: types may refer
/// to themselves, and to those below them.
struct PythonClasses {
  /// What the module takes from `typing`.
  static let imports = ["Literal", "Never", "NotRequired", "TypeAlias", "TypedDict"]

  private(set) var text = ""
  var names: TypeNames

  var usedImports: [String] { Self.imports.filter(text.contains) }

  /// Defines a type with this name.
  mutating func define(_ type: ValueType, as name: String, _ description: String?) {
    if case .object(let object) = type, object.others == nil {
      define(object, as: name, description)
    } else {
      let type = Self.text(lifted(type, [name]))
      text +=
        "\n\n\(Self.comment(description))\(name): TypeAlias = \(SourceText.quotedInPython(type))\n"
    }
  }

  /// Defines a union of types that are above.
  mutating func define(union types: [String], as name: String, _ description: String?) {
    let union = types.count == 1 ? types[0] : "(\n    \(types.joined(separator: "\n    | "))\n)"
    text += "\n\n\(Self.comment(description))\(name): TypeAlias = \(union)\n"
  }

  /// The same type, in which all objects with named members are references to classes.
  mutating func lifted(_ type: ValueType, _ words: [String]) -> ValueType {
    switch type {
    case .array(let element): return .array(lifted(element, words + ["Item"]))
    // JSON's arrays are lists in Python, whose elements have one type.
    case .tuple(let tuple): return .array(lifted(tuple.element, words + ["Item"]))
    case .union(let parts): return .union(of: parts.map { lifted($0, words) })
    case .object(let object):
      // A TypedDict has no members but those that it names.
      if let any = object.anyMember {
        return .object(ObjectType(members: [], others: lifted(any, words + ["Member"])))
      }
      let name = names.unique(words)
      define(object, as: name, nil)
      return .named(name)
    case .unknown, .never, .null, .boolean, .integer, .number, .string, .literal, .named:
      return type
    }
  }

  // MARK: Classes

  private mutating func define(_ object: ObjectType, as name: String, _ description: String?) {
    let members = object.members.map { member in
      var member = member
      member.type = lifted(member.type, [name, member.name])
      return member
    }
    text += "\n\n\(Self.comment(description))"
    guard members.allSatisfy({ Self.isPlain($0.name) }) else {
      text += "\(name) = TypedDict(\n    \(SourceText.quotedInPython(name)),\n    {\n"
      for member in members {
        text += Self.comment(member.description, indent: 8)
        text += "        \(SourceText.quotedInPython(member.name)): "
        text += "\(SourceText.quotedInPython(Self.annotation(of: member))),\n"
      }
      text += "    },\n)\n"
      return
    }
    text += "class \(name)(TypedDict):\n"
    for member in members {
      text += Self.comment(member.description, indent: 4)
      text += "    \(member.name): \(Self.annotation(of: member))\n"
    }
    if members.isEmpty { text += "    pass\n" }
  }

  private static func annotation(of member: MemberType) -> String {
    member.isRequired ? text(member.type) : "NotRequired[\(text(member.type))]"
  }

  /// Whether the body of a class can have a member of this name.
  private static func isPlain(_ name: String) -> Bool {
    SourceText.isIdentifier(name) && !name.hasPrefix("__") && !keywords.contains(name)
  }

  private static let keywords: Set = [
    "False", "None", "True", "and", "as", "assert", "async", "await", "break", "class", "continue",
    "def", "del", "elif", "else", "except", "finally", "for", "from", "global", "if", "import",
    "in", "is", "lambda", "nonlocal", "not", "or", "pass", "raise", "return", "try", "while",
    "with", "yield",
  ]

  // MARK: Annotations

  private static func text(_ type: ValueType) -> String {
    switch type {
    case .unknown: "object"
    case .never: "Never"
    case .null: "None"
    case .boolean: "bool"
    case .integer: "int"
    case .number: "float"
    case .string: "str"
    case .literal(let value): literal(value).map { "Literal[\($0)]" } ?? "float"
    case .array(let element): "list[\(text(element))]"
    case .tuple(let tuple): "list[\(text(tuple.element))]"
    case .object(let object): "dict[str, \(text(object.anyMember ?? .unknown))]"
    case .union(let parts): text(parts)
    case .named(let name): name
    }
  }

  /// A union, with all its literals in one.
  private static func text(_ parts: [ValueType]) -> String {
    var texts: [String] = []
    var literals: [String] = []
    for part in parts {
      if case .literal(let value) = part, let literal = literal(value) {
        literals.append(literal)
      } else {
        texts.append(text(part))
      }
    }
    if !literals.isEmpty { texts.insert("Literal[\(literals.joined(separator: ", "))]", at: 0) }
    return SourceText.union(texts)
  }

  /// What stands in a `Literal`; nil for numbers with fractions, which can't.
  private static func literal(_ value: JSONValue) -> String? {
    switch value {
    case .string(let text): return SourceText.quotedInPython(text)
    case .bool(let value): return value ? "True" : "False"
    case .number(let number):
      let isInteger = number.description.utf8.allSatisfy {
        $0 == 0x2d || (0x30...0x39).contains($0)
      }
      return isInteger ? number.description : nil
    case .null, .array, .object: return nil
    }
  }

  /// A comment of the kind that documents what is below. After a plain # some texts would be orders
  /// to a type checker.
  private static func comment(_ text: String?, indent: Int = 0) -> String {
    let padding = String(repeating: " ", count: indent)
    return SourceText.comment(text ?? "").map { line in
      "\(padding)#:\(line.isEmpty ? "" : " ")\(line)\n"
    }.joined()
  }
}
