import Basics

/// The current values of an instance's states.
public struct Frame: Sendable, Equatable, CustomStringConvertible {
  /// The names of the states, in the order of the manifest.
  public let names: [String]
  let handle: String
  /// The values as canonical JSON, in the order of `names`.
  var values: [[UInt8]]

  /// The value of a state as canonical JSON; nil if the view model has no such state.
  public subscript(name: String) -> String? {
    names.firstIndex(of: name).flatMap { Coding.text(values[$0]) }
  }

  /// Returns the value of a state as a type of the app's.
  ///
  /// - Throws: a `HostError` with the code `invalid` if the view model has no such state, or if the
  ///   value doesn't fit the type.
  public func decode<Value: Decodable>(
    _ name: String, as type: Value.Type = Value.self
  ) throws(HostError) -> Value {
    guard let index = names.firstIndex(of: name) else {
      throw HostError(
        .invalid, "\(handle) has no state \"\(name)\"." + NearestName.hint(for: name, among: names))
    }
    return try Coding.decode(type, from: values[index], of: "\"\(name)\"")
  }

  /// All values as one JSON object. Its members are in the order of the manifest.
  public var description: String {
    let members = zip(names, values).map { "\"\($0)\":\(String(repairing: $1.span))" }
    return "{\(members.joined(separator: ","))}"
  }
}
