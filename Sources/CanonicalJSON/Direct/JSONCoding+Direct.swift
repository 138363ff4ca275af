import Basics

extension JSONCoding {
  /// Does what `decode` does, without Codable where that succeeds.
  package static func decode<T: DirectJSON>(
    directly type: T.Type, from json: Span<UInt8>
  ) throws -> T {
    var reader = MemberReader(canonical: try canonicalBytes(json))
    do {
      return try T(from: &reader)
    } catch {
      // The errors of Codable's way say where and why.
      return try decode(type, canonical: reader.json)
    }
  }

  /// Does what `encode` does, without Codable where that succeeds.
  ///
  /// - Parameter spare: a writer of an earlier call, or nil; then perhaps one for the next call.
  package static func encode<T: DirectJSON>(
    directly value: T, appendingTo output: inout [UInt8], with spare: inout MemberWriter?
  ) throws {
    var writer = spare.take() ?? MemberWriter()
    let start = output.count
    swap(&writer.output, &output)
    do {
      try value.write(to: &writer)
      swap(&writer.output, &output)
    } catch {
      swap(&writer.output, &output)
      output.removeLast(output.count - start)
      return try encode(value, appendingTo: &output)
    }
    if writer.isSmall { spare = writer }
  }
}
