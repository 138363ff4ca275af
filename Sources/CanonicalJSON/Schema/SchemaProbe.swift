/// How one attempt to decode a type from dummies goes, and what it shows.
final class SchemaProbe {
  /// The index of the dummies that come first.
  let attempt: Int
  /// Whether optionals are nil and collections empty.
  let isShort: Bool
  /// Whether a part whose form isn't certain counts as any value.
  let isExact: Bool
  /// Types that go on after a part of them failed, so that they accept more than they seem to.
  private(set) var tolerant: Set<ObjectIdentifier>
  /// How many values were requested.
  private(set) var requests = 0
  /// The request to fail, counted from 1; or 0.
  private let failing: Int
  /// Whether a request failed, and no type has gone on since.
  private(set) var hasFailed = false

  init(
    attempt: Int = 0, isShort: Bool = false, isExact: Bool = false, failing: Int = 0,
    tolerant: Set<ObjectIdentifier> = []
  ) {
    self.attempt = attempt
    self.isShort = isShort
    self.isExact = isExact
    self.failing = failing
    self.tolerant = tolerant
  }

  /// Counts a request, and throws if it is the one to fail.
  func countRequest(_ type: any Any.Type) throws {
    requests += 1
    guard requests == failing else { return }
    hasFailed = true
    throw DecodingError.typeMismatch(
      type, DecodingError.Context(codingPath: [], debugDescription: "a failure to try the type"))
  }

  /// Notes that a value of the type was made.
  func noteSuccess(of type: any Any.Type) {
    guard hasFailed else { return }
    tolerant.insert(ObjectIdentifier(type))
    hasFailed = false
  }

  /// Whether a type's form isn't certain: its code for decoding is written by hand, and for more
  /// than the members of an object.
  func isOpaque<T>(_ type: T.Type, _ node: SchemaNode) -> Bool {
    guard isExact else { return false }
    if tolerant.contains(ObjectIdentifier(type)) { return true }
    guard node.isUnusual else { return false }
    // An enum with raw values, all of whose cases are known.
    if case .cases = node.kind { return false }
    // An array, a dictionary, an optional or another type of the standard library; or an enum or
    // struct that is coded as its raw value.
    if String(reflecting: type).hasPrefix("Swift.") { return false }
    switch node.kind {
    case .scalar: return !(type is any RawRepresentable.Type)
    case .unknown, .any, .cases, .array, .object: return true
    }
  }
}

extension JSONSchema {
  /// The schema of the values of `type` if it is certain, else `{}`.
  ///
  /// Nothing tells synthesized conformances to Codable from those written by hand, so the type is
  /// tried out: with dummies of several kinds, with optionals and collections filled and empty, and
  /// with each part failing once. Its schema is certain if it fails with each part and, for what is
  /// encoded, if all that it encodes fits and has no other members.
  ///
  /// A part of it may be any value where its form isn't certain: where it decodes itself from a
  /// single value, from an array or with nested containers, or goes on where a part of it fails.
  ///
  /// - Parameter known: a value that is encoded in any case; nil if there is none.
  package static func exactSchema<T: Codable>(
    ofEncoded type: T.Type, known: T? = nil
  ) -> JSONValue {
    if let scalar = SchemaScalar(type, attempt: 0) { return schema(of: scalar) }
    guard let node = exactNode(of: type) else { return .object([:]) }
    guard let validator = try? SchemaValidator(node.schema(isClosed: true)) else {
      return .object([:])
    }
    let samples = [(0, true), (SchemaScalar.largest, true)] + [0, 1].map { ($0, false) }
    let extremes = [SchemaScalar.largest, SchemaScalar.smallest].map { ($0, false) }
    let none = node.hasNumbers ? [(SchemaScalar.notANumber, false)] : []
    for (attempt, isShort) in samples + extremes + none {
      let probe = SchemaProbe(attempt: attempt, isShort: isShort, isExact: true)
      guard let value = try? SchemaDecoder(node: SchemaNode(), probe: probe).value(type) else {
        return .object([:])
      }
      guard fits(value, validator) else { return .object([:]) }
    }
    if let known, !fits(known, validator) { return .object([:]) }
    return node.schema
  }

  /// The schema of the values that `type` decodes if it is certain, else `{}`.
  package static func exactSchema<T: Decodable>(ofDecoded type: T.Type) -> JSONValue {
    if let scalar = SchemaScalar(type, attempt: 0) { return schema(of: scalar) }
    return exactNode(of: type)?.schema ?? .object([:])
  }

  private static func schema(of scalar: SchemaScalar) -> JSONValue {
    let node = SchemaNode()
    node.kind = scalar.kind
    return node.schema
  }

  /// What the type decodes; nil if it refuses all dummies.
  private static func exactNode<T: Decodable>(of type: T.Type) -> SchemaNode? {
    var node = SchemaNode()
    let first = SchemaProbe(isExact: true)
    guard (try? SchemaDecoder(node: node, probe: first).value(type)) != nil else { return nil }
    var tolerant: Set<ObjectIdentifier> = []
    // The first request is for the type itself.
    for request in 1..<max(first.requests, 1) {
      let probe = SchemaProbe(isExact: true, failing: request + 1)
      _ = try? SchemaDecoder(node: SchemaNode(), probe: probe).value(type)
      tolerant.formUnion(probe.tolerant)
    }
    guard !tolerant.isEmpty else { return node }
    node = SchemaNode()
    let last = SchemaProbe(isExact: true, tolerant: tolerant)
    return (try? SchemaDecoder(node: node, probe: last).value(type)) == nil ? nil : node
  }

  /// Whether a value is encoded in a form that fits. What can't be encoded is never seen.
  private static func fits<T: Encodable>(_ value: T, _ validator: SchemaValidator) -> Bool {
    var json: [UInt8] = []
    do { try JSONCoding.encode(value, appendingTo: &json) } catch { return true }
    return validator.accepts(json.span)
  }
}
