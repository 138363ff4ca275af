/// The header of an ELF-64 file (see elf(5)).
///
/// A file may have any numbers in it. They are read unchecked, and each offset is checked where it
/// is used.
struct ELFHeader {
  static let magic: [UInt8] = [0x7f, 0x45, 0x4c, 0x46]
  /// The size of the header in bytes.
  static let size = 64
  /// The size of a program header in bytes.
  static let segmentSize = 56

  /// A program header.
  struct Segment {
    static let loaded: UInt64 = 1
    static let dynamic: UInt64 = 2

    let kind: UInt64
    let offset: UInt64
    let address: UInt64
    /// The size of the segment in the file, in bytes.
    let size: UInt64
  }

  private let bytes: ELFBytes

  /// Reads the header from the start of a file. Returns nil if it isn't one, or is cut short.
  init?(_ start: [UInt8]) {
    guard start.count >= Self.size, start.starts(with: Self.magic) else { return nil }
    bytes = ELFBytes(start)
  }

  var is64Bit: Bool { bytes.number(4, 1) == 2 }
  var type: UInt64 { bytes.number(16, 2) }
  var machine: UInt64 { bytes.number(18, 2) }
  /// The size of a program header that the file states. Linkers only accept `segmentSize`.
  var statedSegmentSize: UInt64 { bytes.number(54, 2) }

  /// The offset of the end of the section table, or nil if it overflows.
  var sectionsEnd: UInt64? {
    let (end, overflow) = bytes.number(40, 8)
      .addingReportingOverflow(bytes.number(58, 2) * bytes.number(60, 2))
    return overflow ? nil : end
  }

  /// The number of program headers that the file states.
  var segmentCount: UInt64 { bytes.number(56, 2) }

  /// The most program headers that a file may have. Linux runs no program with more, and linkers
  /// write about ten.
  static let maxSegments = (1 << 16) / segmentSize

  /// Reads the program headers. Returns nil if the file doesn't have all of them, or too many.
  func segments(in file: borrowing FileDescriptor) throws(SystemError) -> [Segment]? {
    let count = Int(segmentCount)
    let size = count * Self.segmentSize
    guard count <= Self.maxSegments, statedSegmentSize == Self.segmentSize,
      let offset = Int(exactly: bytes.number(32, 8)),
      offset <= Int.max - size
    else { return nil }
    let table = ELFBytes(try file.read(at: offset, count: size))
    guard table.count == size else { return nil }
    return (0..<count).map { index in
      let start = index * Self.segmentSize
      return Segment(
        kind: table.number(start, 4), offset: table.number(start + 8, 8),
        address: table.number(start + 16, 8), size: table.number(start + 32, 8))
    }
  }
}

/// Reads little-endian numbers from bytes.
struct ELFBytes {
  private let bytes: [UInt8]

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  var count: Int { bytes.count }

  /// The number of `size` bytes at `offset`, which must be within the bytes.
  func number(_ offset: Int, _ size: Int) -> UInt64 {
    var value: UInt64 = 0
    for index in 0..<size { value |= UInt64(bytes[offset + index]) << (8 * UInt64(index)) }
    return value
  }
}
