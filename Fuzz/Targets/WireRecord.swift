/// The record of an event as it lies in memory and on the wire, by the words of the document.
struct WireRecord: Equatable {
  static let size = 48

  var kind: UInt32 = 16
  var instance: Int32 = 0
  var port: Int32 = 0
  var step: Int32 = 0
  var id: UInt64 = 0
  var time: Int64 = 0
  var nameStart: Int64 = 0
  var nameCount: UInt32 = 0
  var valueCount: UInt32 = 0

  init() {}

  /// Reads the record at the beginning of `bytes`, which are enough for it.
  init(_ bytes: ArraySlice<UInt8>) {
    func number(_ offset: Int, _ count: Int) -> UInt64 {
      LittleEndian.number(bytes.dropFirst(offset).prefix(count))
    }
    kind = UInt32(number(0, 4))
    instance = Int32(truncatingIfNeeded: number(4, 4))
    port = Int32(truncatingIfNeeded: number(8, 4))
    step = Int32(truncatingIfNeeded: number(12, 4))
    id = number(16, 8)
    time = Int64(truncatingIfNeeded: number(24, 8))
    nameStart = Int64(truncatingIfNeeded: number(32, 8))
    nameCount = UInt32(number(40, 4))
    valueCount = UInt32(number(44, 4))
  }

  var bytes: [UInt8] {
    let words = [UInt64(kind), UInt64(bits(instance)), UInt64(bits(port)), UInt64(bits(step))]
      .flatMap { LittleEndian.bytes($0, 4) }
    let longs = [id, UInt64(bitPattern: time), UInt64(bitPattern: nameStart)]
      .flatMap { LittleEndian.bytes($0, 8) }
    return words + longs + LittleEndian.bytes(UInt64(nameCount), 4)
      + LittleEndian.bytes(UInt64(valueCount), 4)
  }

  private func bits(_ number: Int32) -> UInt32 { UInt32(bitPattern: number) }

  /// How many bytes of names and values are its own.
  var count: Int { Int(nameCount) + Int(valueCount) }

  /// A refusal or a broken contract.
  var isEnd: Bool { kind == 64 || kind == 65 }
  /// It asks, cancels, refuses or fails.
  var isNews: Bool { [17, 18, 20].contains(kind) || isEnd }
}
