import CanonicalJSON

/// A message from the host: one line.
enum HostMessage {
  case request(id: UInt64, effect: String, value: JSONValue)
  case cancel(id: UInt64)
  /// A message that this provider doesn't know. It has an id, so it can be answered.
  case unreadable(id: UInt64, reason: String)
  case blank

  /// Reads a line. Unknown members are ignored: a newer host may send them.
  ///
  /// - Throws: `failed` for a line without an id that could be answered.
  init(line: [UInt8]) throws(ProviderError) {
    if line.allSatisfy({ [0x20, 0x09, 0x0d].contains($0) }) {
      self = .blank
      return
    }
    let value: JSONValue
    do {
      value = try JSONValue(parsing: line.span)
    } catch {
      throw ProviderError(.failed, "not JSON: \(error)")
    }
    guard let object = value.objectValue else {
      throw ProviderError(.failed, "not a JSON object")
    }
    guard case .number(let number) = object["id"], let id = UInt64(number.description) else {
      throw ProviderError(.failed, "\"id\" is not an unsigned 64-bit integer")
    }
    switch object["kind"]?.stringValue {
    case "cancel":
      self = .cancel(id: id)
    case "request":
      guard let effect = object["effect"]?.stringValue else {
        self = .unreadable(id: id, reason: "The request has no \"effect\", or it is not a string.")
        return
      }
      self = .request(id: id, effect: effect, value: object["value"] ?? .null)
    case let kind?:
      self = .unreadable(id: id, reason: "The host sent the unknown kind \"\(kind)\".")
    case nil:
      self = .unreadable(id: id, reason: "The host sent a message without a \"kind\".")
    }
  }
}
