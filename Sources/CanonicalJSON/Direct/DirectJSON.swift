/// A value that is read from JSON and written to it without the containers of Codable.
///
/// The scalars of the standard library are such values, and optionals, arrays and dictionaries of
/// them. So is any type that names the protocol: an enum is coded as its raw value, another type by
/// Codable. A type whose members are to be read and written quickly conforms to `DirectObject`.
public protocol DirectJSON: Codable {
  init(from json: inout MemberReader) throws
  func write(to json: inout MemberWriter) throws
}

/// A type that reads and writes its members one by one, which is faster than Codable.
///
/// The JSON must be the same as with Codable, which stays the definition: it gives the schema, and
/// reads what `init(members:)` refuses, so as to say what is wrong.
///
///     struct Row: DirectObject {
///       var id: Int
///       var note: String?
///
///       init(members: inout MemberReader) throws {
///         id = try members.read("id")
///         note = try members.readIfPresent("note")
///       }
///
///       func write(members: inout MemberWriter) throws {
///         try members.write("id", id)
///         try members.writeIfPresent("note", note)
///       }
///     }
///
/// Any order is right. The quickest one is that of the names.
public protocol DirectObject: DirectJSON {
  init(members: inout MemberReader) throws
  func write(members: inout MemberWriter) throws
}

extension DirectObject {
  public init(from json: inout MemberReader) throws {
    let outer = try json.beginObject()
    try self.init(members: &json)
    json.endObject(outer)
  }

  public func write(to json: inout MemberWriter) throws {
    let object = try json.beginObject()
    try write(members: &json)
    try json.endObject(object)
  }
}

extension DirectJSON {
  public init(from json: inout MemberReader) throws { self = try json.codable() }
  public func write(to json: inout MemberWriter) throws { try json.appendCodable(self) }
}

extension DirectJSON where Self: RawRepresentable, RawValue: DirectJSON {
  public init(from json: inout MemberReader) throws {
    guard let value = Self(rawValue: try RawValue(from: &json)) else { throw DirectMismatch() }
    self = value
  }

  public func write(to json: inout MemberWriter) throws { try rawValue.write(to: &json) }
}

/// What is read or written isn't what the type wants. Codable then says why.
struct DirectMismatch: Error {}

// MARK: The standard library's types

extension String: DirectJSON {
  public init(from json: inout MemberReader) throws { self = try json.string() }
  public func write(to json: inout MemberWriter) throws { try json.append(self) }
}

extension Int: DirectJSON {
  public init(from json: inout MemberReader) throws { self = try json.scalar() }
  public func write(to json: inout MemberWriter) throws { try json.append(self) }
}

extension Int64: DirectJSON {
  public init(from json: inout MemberReader) throws { self = try json.scalar() }
  public func write(to json: inout MemberWriter) throws { try json.append(self) }
}

extension Double: DirectJSON {
  public init(from json: inout MemberReader) throws { self = try json.scalar() }
  public func write(to json: inout MemberWriter) throws { try json.append(self) }
}

extension Bool: DirectJSON {
  public init(from json: inout MemberReader) throws { self = try json.scalar() }
  public func write(to json: inout MemberWriter) throws { try json.append(self) }
}

extension Float: DirectJSON {}
extension Int8: DirectJSON {}
extension Int16: DirectJSON {}
extension Int32: DirectJSON {}
extension Int128: DirectJSON {}
extension UInt: DirectJSON {}
extension UInt8: DirectJSON {}
extension UInt16: DirectJSON {}
extension UInt32: DirectJSON {}
extension UInt64: DirectJSON {}
extension UInt128: DirectJSON {}
extension JSONValue: DirectJSON {}
extension Dictionary: DirectJSON where Key == String, Value: DirectJSON {}

extension Optional: DirectJSON where Wrapped: DirectJSON {
  public init(from json: inout MemberReader) throws {
    self = json.readNull() ? nil : try Wrapped(from: &json)
  }

  public func write(to json: inout MemberWriter) throws {
    guard let value = self else { return json.appendNull() }
    try value.write(to: &json)
  }
}

extension Array: DirectJSON where Element: DirectJSON {
  public init(from json: inout MemberReader) throws {
    self = []
    var hasNext = try json.beginArray()
    while hasNext {
      append(try Element(from: &json))
      hasNext = json.nextElement()
    }
  }

  public func write(to json: inout MemberWriter) throws {
    try json.beginArray()
    for element in self {
      json.separate()
      try element.write(to: &json)
    }
    json.endArray()
  }
}
