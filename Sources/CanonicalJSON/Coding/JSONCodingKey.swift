import Basics

/// A key made at run time: a member's name or an element's index.
struct JSONCodingKey: CodingKey {
  var stringValue: String
  var intValue: Int?

  init(stringValue: String) {
    self.stringValue = stringValue
  }

  init(intValue: Int) {
    self.init(index: intValue)
  }

  init(index: Int) {
    stringValue = String(index)
    intValue = index
  }
}

/// Writes a coding path as an author would: `items[2].title`.
func pathText(_ path: [any CodingKey]) -> String {
  var text = ""
  for key in path {
    if let index = key.intValue {
      text += "[\(index)]"
    } else if isPlainName(key.stringValue) {
      text += text.isEmpty ? key.stringValue : ".\(key.stringValue)"
    } else {
      var bytes: [UInt8] = []
      CanonicalJSON.appendString(key.stringValue, to: &bytes)
      text += "[\(String(repairing: bytes.span))]"
    }
  }
  return text
}

/// A description that begins with the place it is about.
func describe(_ description: String, at path: [any CodingKey]) -> String {
  path.isEmpty ? description : "\(pathText(path)): \(description)"
}

private func isPlainName(_ name: String) -> Bool {
  guard let first = name.first, first.isLetter || first == "_" else { return false }
  return name.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "-" }
}
