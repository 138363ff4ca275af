import Basics

/// The present values of an instance's states.
public struct Frame: Sendable, Equatable, CustomStringConvertible {
  /// The states, in the order of the manifest.
  public let names: [String]
  let handle: String
  /// By the states' positions; canonical JSON.
  var values: [[UInt8]]

  /// The value of a state as canonical JSON; nil if there is no such state.
  public subscript(name: String) -> String? {
    names.firstIndex(of: name).flatMap { Coding.text(values[$0]) }
  }

  /// The value of a state as a type of the app's own.
  public func decode<Value: Decodable>(
    _ name: String, as type: Value.Type = Value.self
  ) throws(HostError) -> Value {
    guard let index = names.firstIndex(of: name) else {
      throw HostError(
        .invalid, "\(handle) has no state \"\(name)\"." + NearestName.hint(for: name, among: names))
    }
    return try Coding.decode(type, from: values[index], of: "\"\(name)\"")
  }

  /// All of it as one JSON object, its members in the order of the manifest.
  public var description: String {
    let members = zip(names, values).map { "\"\($0)\":\(String(repairing: $1.span))" }
    return "{\(members.joined(separator: ","))}"
  }
}
