import CanonicalJSON

/// A value behind its name in a line of text.
package enum TextValue {
  /// Values that take more bytes than this go over several lines.
  private static let widest = 100

  /// Appends a blank and the value, which is canonical JSON.
  package static func append(_ value: Span<UInt8>, to output: inout [UInt8]) {
    output.append(0x20)
    // Only objects and arrays can go over lines; a long string stays whole.
    let isNested = value[0] == UInt8(ascii: "{") || value[0] == UInt8(ascii: "[")
    if value.count > widest, isNested, let pretty = try? CanonicalJSON.pretty(value, indent: 2) {
      output.append(contentsOf: pretty)
    } else {
      output.append(value)
    }
  }
}
