/// Tries out types, to find what their values are as JSON. Each type is tried once.
///
/// Nothing tells synthesized conformances to Codable from those written by hand, so a type is
/// decoded from dummies of several kinds, with optionals and collections filled and empty, and with
/// each part failing once. Its schema is certain if it fails with each part and, for what is
/// encoded, if all that it encodes fits and has no other members.
///
/// A part of it may be any value where its form isn't certain: where it decodes itself from a
/// single value, from an array or with nested containers, or goes on where a part of it fails.
package final class TypeTrials {
  private var trials: [ObjectIdentifier: TypeTrial] = [:]

  package init() {}

  /// Why values of `type` can't be JSON: they have one of Foundation's types that is refused. Nil
  /// if none was found.
  package func refusal<T: Decodable>(of type: T.Type) -> String? {
    guard FoundationType.hasRefused, SchemaScalar(type, attempt: 0) == nil else { return nil }
    return trial(of: type).refused?.refusal
  }

  /// The schema of the values that `type` encodes if it is certain, else `{}`.
  ///
  /// - Parameter known: a value that is encoded in any case; nil if there is none.
  package func schema<T: Codable>(ofEncoded type: T.Type, known: T? = nil) -> JSONValue {
    if let scalar = SchemaScalar(type, attempt: 0) { return scalar.schema }
    let trial = trial(of: type)
    guard let node = trial.node, let validator = trial.validator(type) else { return .object([:]) }
    if let known, !TypeTrial.fits(known, validator) { return .object([:]) }
    return node.schema
  }

  /// The schema of the values that `type` decodes if it is certain, else `{}`.
  package func schema<T: Decodable>(ofDecoded type: T.Type) -> JSONValue {
    if let scalar = SchemaScalar(type, attempt: 0) { return scalar.schema }
    return trial(of: type).node?.schema ?? .object([:])
  }

  /// How what a type reads and writes itself differs from Codable; nil if no dummy shows that.
  package func difference<T: DirectJSON>(of type: T.Type) -> String? {
    let trial = trial(of: type)
    if let difference = trial.difference { return difference }
    let difference = JSONSchema.directDifference(of: type)
    trial.difference = .some(difference)
    return difference
  }

  private func trial<T: Decodable>(of type: T.Type) -> TypeTrial {
    let id = ObjectIdentifier(type)
    if let trial = trials[id] { return trial }
    let trial = TypeTrial(type)
    trials[id] = trial
    return trial
  }
}

/// What trying out one type has found.
private final class TypeTrial {
  /// What it decodes; nil if it refuses all dummies.
  let node: SchemaNode?
  /// The first type of Foundation in it that is refused.
  let refused: FoundationType?
  /// How its own JSON differs from that of Codable. Nil outside until that was looked for.
  var difference: String??
  /// What all that it encodes fits; nil if something doesn't. Nil outside until that was tried.
  private var validator: SchemaValidator??

  init<T: Decodable>(_ type: T.Type) {
    let node = SchemaNode()
    let first = SchemaProbe(isExact: true)
    let isMade = (try? SchemaDecoder(node: node, probe: first).value(type)) != nil
    refused = first.refused
    self.node = isMade ? Self.tolerated(type, node, requests: first.requests) : nil
  }

  /// Finds the parts without which the type is made all the same, which may be any value.
  private static func tolerated<T: Decodable>(
    _ type: T.Type, _ node: SchemaNode, requests: Int
  ) -> SchemaNode? {
    var tolerant: Set<ObjectIdentifier> = []
    // The first request is for the type itself.
    for request in 1..<max(requests, 1) {
      let probe = SchemaProbe(isExact: true, failing: request + 1)
      _ = try? SchemaDecoder(node: SchemaNode(), probe: probe).value(type)
      tolerant.formUnion(probe.tolerant)
    }
    guard !tolerant.isEmpty else { return node }
    let node = SchemaNode()
    let last = SchemaProbe(isExact: true, tolerant: tolerant)
    return (try? SchemaDecoder(node: node, probe: last).value(type)) == nil ? nil : node
  }

  /// What all that the type encodes fits; nil if something doesn't.
  func validator<T: Codable>(_ type: T.Type) -> SchemaValidator? {
    if let validator { return validator }
    let found = node.flatMap { encodedValidator(type, $0) }
    validator = .some(found)
    return found
  }

  private func encodedValidator<T: Codable>(
    _ type: T.Type, _ node: SchemaNode
  ) -> SchemaValidator? {
    guard let validator = try? SchemaValidator(node.schema(isClosed: true)) else { return nil }
    let samples = [(0, true), (SchemaScalar.largest, true)] + [0, 1].map { ($0, false) }
    let extremes = [SchemaScalar.largest, SchemaScalar.smallest].map { ($0, false) }
    let none = node.hasNumbers ? [(SchemaScalar.notANumber, false)] : []
    for (attempt, isShort) in samples + extremes + none {
      let probe = SchemaProbe(attempt: attempt, isShort: isShort, isExact: true)
      guard let value = try? SchemaDecoder(node: SchemaNode(), probe: probe).value(type),
        Self.fits(value, validator)
      else { return nil }
    }
    return validator
  }

  /// Whether a value is encoded in a form that fits. What can't be encoded is never seen.
  static func fits<T: Encodable>(_ value: T, _ validator: SchemaValidator) -> Bool {
    var json: [UInt8] = []
    do { try JSONCoding.encode(value, appendingTo: &json) } catch { return true }
    return validator.accepts(json.span)
  }
}
