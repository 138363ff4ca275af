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
    // Only objects and arrays can span lines. A long string stays in one.
    let isNested = value[0] == UInt8(ascii: "{") || value[0] == UInt8(ascii: "[")
    if value.count > maxBytesInLine, value.count <= maxBytesInLines, isNested,
      let pretty = try? CanonicalJSON.pretty(value, indent: 2)
    {
      output.append(contentsOf: pretty)
    } else {
      output.append(value)
    }
  }
}
