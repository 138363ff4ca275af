import Basics

/// A JSON Schema (draft 2020-12), compiled so that JSON text is checked in one pass, without
/// building values.
///
/// Documentation/ABI.md lists the words that it understands. It ignores all others, so a value that
/// a schema of another program's refuses may fit here, but not the other way round.
package final class SchemaValidator: Sendable {
  let rules: [SchemaRule]
  let members: [SchemaMember]
  let constants: [Range<Int>]
  let limits: [SchemaLimits]
  let groups: [SchemaGroup]
  let branches: [Int]
  /// The bytes of keys and constants.
  let texts: [UInt8]
  let root: Int
  /// The types that the schema allows, if it says nothing else.
  private let onlyTypes: SchemaTypes?

  /// Compiles a schema.
  ///
  /// - Parameter ignored: called for each member of the schema that has no effect, with its path
  ///   from the schema and with the reason.
  package init(
    _ schema: JSONValue, ignored: ((_ path: String, _ reason: String) -> Void)? = nil
  ) throws(SchemaError) {
    var compiler = SchemaCompiler(document: schema, ignored: ignored)
    root = try compiler.compile()
    let rules = compiler.rules
    self.rules = rules
    members = compiler.members.map { member in
      var member = member
      member.onlyTypes = rules[member.rule].onlyTypes
      return member
    }
    constants = compiler.constants
    limits = compiler.limits
    groups = compiler.groups
    branches = compiler.branches
    texts = compiler.texts
    onlyTypes = rules[root].hasOnlyTypes ? rules[root].types : nil
  }

  /// Whether every value fits.
  package var allowsAll: Bool { onlyTypes == .all }

  /// Whether the bytes are canonical JSON that fits.
  package func accepts(_ bytes: Span<UInt8>) -> Bool {
    accepts(bytes, areCanonical: false)
  }

  /// Whether a value fits that is known to be canonical JSON.
  package func accepts(canonical bytes: Span<UInt8>) -> Bool {
    guard let onlyTypes, bytes.count > 0 else { return accepts(bytes, areCanonical: true) }
    let types = SchemaTypes(firstByte: bytes[0])
    if types != .number { return !types.isDisjoint(with: onlyTypes) }
    return onlyTypes.contains(.number) || onlyTypes.contains(SchemaTypes(number: bytes))
  }

  private func accepts(_ bytes: Span<UInt8>, areCanonical: Bool) -> Bool {
    guard bytes.count > 0 else { return false }
    var offset = 0
    var scan = SchemaScan(
      isCanonical: areCanonical, workLimit: Self.workLimit(bytes.count))
    let fits =
      checkType(onlyTypes ?? [], bytes, at: &offset, depth: 0, scan)
      ?? check(root, bytes, at: &offset, depth: 0, &scan)
    return fits && offset == bytes.count
  }

  /// Why JSON text, in any form, doesn't fit; nil if it does.
  ///
  /// - Throws: `JSONError` if it isn't JSON.
  package func mismatch(of json: Span<UInt8>) throws(JSONError) -> SchemaMismatch? {
    let canonical = try CanonicalJSON.bytes(json)
    let bytes = canonical.span
    var scan = SchemaScan(isCanonical: true, workLimit: Self.workLimit(bytes.count))
    var offset = 0
    guard !check(root, bytes, at: &offset, depth: 0, &scan), let failure = scan.failure else {
      return nil
    }
    return mismatch(failure, bytes)
  }

  /// How much may be scanned again for other schemas of the same value. Without a limit, a schema
  /// whose schemas have schemas, each with two choices, would take for ever.
  private static func workLimit(_ count: Int) -> Int { 1 << 20 + count * 64 }
}
