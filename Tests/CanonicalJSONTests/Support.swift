import CanonicalJSON

func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

func canonical(_ json: [UInt8]) throws(JSONError) -> String {
  text(try CanonicalJSON.bytes(json.span))
}

func canonical(_ json: String) throws(JSONError) -> String { try canonical(bytes(json)) }

/// Whether the scanner says that the whole of `json` is canonical.
func isProvenCanonical(_ json: [UInt8]) throws(JSONError) -> Bool {
  var offset = 0
  return try JSONScanner.skipValue(in: json.span, at: &offset) && offset == json.count
}

func parsed(_ json: [UInt8]) throws(JSONError) -> JSONValue { try JSONValue(parsing: json.span) }

func encoded(_ value: some Encodable) throws -> String {
  var output: [UInt8] = []
  try JSONCoding.encode(value, appendingTo: &output)
  return text(output)
}

func decoded<T: Decodable>(_ type: T.Type, _ json: String) throws -> T {
  let bytes = bytes(json)
  return try JSONCoding.decode(type, from: bytes.span)
}

/// The message of the error that `body` throws, or "" if it throws none.
func message(_ body: () throws -> Void) -> String {
  do {
    try body()
    return ""
  } catch {
    return JSONCoding.message(for: error)
  }
}

/// Reads `\xNN` in a table's text as that byte, so that invalid UTF-8 can be written down.
func rawBytes(_ text: String) -> [UInt8] {
  var output: [UInt8] = []
  var rest = Array(text.utf8)[...]
  while let byte = rest.popFirst() {
    if byte == 0x5C, rest.first == 0x78, rest.count >= 3,
      let value = UInt8(String(decoding: rest.dropFirst().prefix(2), as: UTF8.self), radix: 16)
    {
      output.append(value)
      rest = rest.dropFirst(3)
    } else {
      output.append(byte)
    }
  }
  return output
}

/// The 128-bit integers as members.
struct WideMembers: Codable, Equatable {
  var min = Int128.min
  var max = UInt128.max
}

/// The 128-bit integers as elements.
struct WideElements: Codable, Equatable {
  var min = Int128.min
  var max = UInt128.max

  init() {}

  init(from decoder: any Decoder) throws {
    var elements = try decoder.unkeyedContainer()
    min = try elements.decode(Int128.self)
    max = try elements.decode(UInt128.self)
  }

  func encode(to encoder: any Encoder) throws {
    var elements = encoder.unkeyedContainer()
    try elements.encode(min)
    try elements.encode(max)
  }
}
