import Basics
import CanonicalJSON

/// Writes a value after its name in a line of text.
package enum TextValue {
  /// The maximum number of bytes in one line. A longer value spans several lines.
  private static let maxBytesInLine = 100
  /// The maximum number of bytes in several lines. Nobody reads a larger value, and the indentation
  /// of deep ones can be many times as long as they are.
  private static let maxBytesInLines = 1 << 20

  /// Appends a blank and the value, which is canonical JSON.
  package static func append(_ value: Span<UInt8>, to output: inout [UInt8]) {
    output.append(0x20)
    let start = output.count
    // Only objects and arrays can span lines. A long string stays in one.
    let isNested = value[0] == UInt8(ascii: "{") || value[0] == UInt8(ascii: "[")
    if value.count > maxBytesInLine, value.count <= maxBytesInLines, isNested,
      let pretty = try? CanonicalJSON.pretty(value, indent: 2)
    {
      output.append(contentsOf: pretty)
    } else {
      output.append(value)
    }
    escapeControls(in: &output, from: start)
  }

  /// Escapes DEL and the control characters after it. JSON allows them, but some terminals obey
  /// them.
  private static func escapeControls(in output: inout [UInt8], from start: Int) {
    let isControl = { (bytes: ArraySlice<UInt8>, index: Int) in
      bytes[index] == 0x7f
        || bytes[index] == 0xc2 && index + 1 < bytes.endIndex && bytes[index + 1] < 0xa0
    }
    let value = output[start...]
    guard value.indices.contains(where: { isControl(value, $0) }) else { return }
    var escaped: [UInt8] = []
    var index = value.startIndex
    while index < value.endIndex {
      if isControl(value, index) {
        let code = value[index] == 0x7f ? 0x7f : value[index + 1]
        let digits = String(code, radix: 16)
        escaped += Array("\\u00\(digits)".utf8)
        index += value[index] == 0x7f ? 1 : 2
      } else {
        escaped.append(value[index])
        index += 1
      }
    }
    output.replaceSubrange(start..., with: escaped)
  }
}
