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

  /// The first type of Foundation that was requested and is refused.
  private(set) var refused: FoundationType?

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

  func noteRefusal(of type: any Any.Type) {
    guard refused == nil, let type = FoundationType.of(type), type.scalar == nil else { return }
    refused = type
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
    // Not by `String(reflecting:)`, which searches all libraries for ways to describe the type.
    if _typeName(type).hasPrefix("Swift.") { return false }
    switch node.kind {
    case .scalar: return !(type is any RawRepresentable.Type)
    case .unknown, .any, .cases, .array, .object: return true
    }
  }
}
