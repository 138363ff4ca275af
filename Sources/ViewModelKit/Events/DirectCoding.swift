import CanonicalJSON

/// Codes the values of a port whose type does so itself. Abstract, because ports of other types
/// have none.
@ViewModelActor class DirectCoding<Value> {
  nonisolated init() {}

  func decode(_ json: Span<UInt8>) throws -> Value { preconditionFailure("abstract") }
  func encode(_ value: Value, appendingTo json: inout [UInt8]) throws {}

  /// How it differs from Codable; nil if it doesn't.
  func difference(_ trials: TypeTrials) -> String? { nil }

  /// Nil for scalars, which `PortCoding` knows.
  nonisolated static func of<T: DirectJSON>(_ type: T.Type) -> DirectCoding<T>? {
    PortCoding.knows(type) ? nil : DirectTypeCoding<T>()
  }
}

@ViewModelActor private final class DirectTypeCoding<Value: DirectJSON>: DirectCoding<Value> {
  override func decode(_ json: Span<UInt8>) throws -> Value {
    try JSONCoding.decode(directly: Value.self, from: json)
  }

  override func encode(_ value: Value, appendingTo json: inout [UInt8]) throws {
    try PortCoding.encode(directly: value, appendingTo: &json)
  }

  override func difference(_ trials: TypeTrials) -> String? { trials.difference(of: Value.self) }
}
