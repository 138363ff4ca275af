/// What a worker emits in an exchange, as it lies in the window and on the wire.
struct WireEmissions {
  /// Records, and the bytes of just these.
  struct Part {
    var records: [UInt8] = []
    var content: [UInt8] = []
  }

  private(set) var records: [WireRecord] = []
  private var content: [[UInt8]] = []
  /// The step that asks, cancels, refuses or fails, after which a worker stops.
  private(set) var news: Int?

  mutating func append(_ record: WireRecord, name: [UInt8], value: [UInt8]) {
    var record = record
    record.nameCount = UInt32(name.count)
    record.valueCount = UInt32(value.count)
    records.append(record)
    content.append(name + value)
    if record.isNews { news = Int(record.step) }
  }

  /// Hardly an input would get anywhere if it had to bring the first frame itself.
  mutating func appendStates(of instance: Int32) {
    for name in ["a", "b"] {
      var record = WireRecord()
      record.instance = instance
      append(record, name: Array(name.utf8), value: Array("0".utf8))
    }
  }

  private static let kinds: [UInt32] = [16, 16, 16, 17, 17, 18, 19, 20, 64, 65, 16, 66]

  /// Events of some steps, as an input says: in the order of the steps, and none after news.
  mutating func append(from input: inout InputReader, steps: Range<Int>, instance: Int32) {
    var step = steps.lowerBound
    for _ in 0..<input.number(below: 6) {
      if news == nil { step = min(step + input.number(below: 3), max(steps.upperBound - 1, 0)) }
      var record = WireRecord()
      record.kind = input.choice(of: Self.kinds)
      let other = input.byte()
      record.instance = other < 224 ? instance : Int32(other) - 224
      record.step = Int32(truncatingIfNeeded: step)
      record.id = UInt64(input.byte())
      let text = record.kind == 64 || record.kind == 65
      let name = text ? [] : LyingPlugin.name(&input)
      append(record, name: name, value: LyingPlugin.value(&input))
    }
  }

  /// The records before `index`, and the others.
  func split(at index: Int) -> (Part, Part) {
    let index = min(index, records.count)
    return (part(0..<index), part(index..<records.count))
  }

  private func part(_ range: Range<Int>) -> Part {
    var part = Part()
    for index in range {
      var record = records[index]
      record.nameStart = Int64(part.content.count)
      part.records += record.bytes
      part.content += content[index]
    }
    return part
  }
}
