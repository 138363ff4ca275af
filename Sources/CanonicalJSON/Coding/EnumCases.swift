/// The raw values of an enum that is `CaseIterable`.
struct EnumCases {
  /// All cases, at least one.
  let all: [Any]
  let typeName: String?
  let values: [JSONValue]

  init?(_ type: any Any.Type) {
    guard type is any RawRepresentable.Type, let type = type as? any CaseIterable.Type else {
      return nil
    }
    let cases = Self.all(type)
    guard !cases.isEmpty else { return nil }
    var values: [JSONValue] = []
    for value in cases {
      guard let raw = (value as? any RawRepresentable).flatMap({ Self.rawValue($0) }) else {
        return nil
      }
      values.append(raw)
    }
    all = cases
    self.values = values
    switch values.first {
    case .string: typeName = "string"
    case .number: typeName = values.allSatisfy { $0.intValue != nil } ? "integer" : "number"
    default: typeName = nil
    }
  }

  private static func all<T: CaseIterable>(_ type: T.Type) -> [Any] { Array(type.allCases) }

  private static func rawValue<T: RawRepresentable>(_ value: T) -> JSONValue? {
    guard let raw = value.rawValue as? any JSONPrimitive else { return nil }
    var bytes: [UInt8] = []
    guard raw.appendCanonical(to: &bytes) else { return nil }
    return JSONValue(canonical: bytes.span)
  }
}
