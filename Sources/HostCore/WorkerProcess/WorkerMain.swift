import HostShims

/// The inside of a worker process: loads one plugin and does what the host says, frame after
/// frame, until the host hangs up.
package final class WorkerMain {
  private var channel: WorkerChannel
  private let window: SharedBuffer
  private let confinement: Confinement
  private let context = ReplayContext(pluginPath: [])
  private var report: ConfinementReport
  private var plugin: LocalPlugin?
  /// What the plugin emits in the present exchange.
  private var emissions = EventBatch()

  /// Confines this process, which must have just started.
  package init(_ confinement: Confinement) throws(SystemError) {
    self.confinement = confinement
    channel = WorkerChannel(number: WorkerEntry.socket)
    window = SharedBuffer(
      try SharedMemory(
        mapping: FileDescriptor(adopting: WorkerEntry.buffer), count: SharedBuffer.size))
    host_print_by_line()
    host_control_session(Self.startingChance)
    report = confinement.applyBeforeLoading()
  }

  /// What randomness is made from until a session gives its seed: a constant, unless this worker is
  /// to show what depends on it.
  private static var startingChance: UInt64 {
    guard Environment.value(ConfinedProcess.Command.fixedHashing) == nil else { return 0 }
    var random = SystemRandomNumberGenerator()
    return random.next()
  }

  /// Works until the host hangs up.
  package func run() throws(SystemError) {
    var greeting: [UInt8] = []
    ByteWriter.append(WorkerMessage.version, to: &greeting)
    try channel.send(WorkerMessage(.ready, greeting + report.encoded))
    while true {
      try channel.wait()
      switch try channel.receive() {
      case .frame(let frame): try obey(frame)
      case .nothing: continue
      case .end, .garbage: return
      }
    }
  }

  private func obey(_ frame: WorkerMessage) throws(SystemError) {
    if frame.kind == .load { return try load(frame.payload) }
    var reader = ByteReader()
    guard let exchange: UInt32 = reader.read(frame.payload.span) else { return }
    switch frame.kind {
    case .create: try create(frame.payload, reader, exchange)
    case .deliver: try deliver(frame.payload, reader, exchange)
    case .deliverOne: try deliverOne(frame.payload, reader, exchange)
    case .destroy:
      guard let number: Int32 = reader.read(frame.payload.span) else { return }
      emissions.removeAll()
      plugin?.destroy(number, into: &emissions)
      // It may be the last, and the end of the process loses what was not written yet.
      host_flush_prints()
      try finish(exchange, next: 0, from: 0, 0)
    case .play: try play(Array(frame.payload[reader.offset...]), exchange)
    case .load, .ready, .loaded, .refused, .done, .played: return
    }
  }

  private func load(_ payload: [UInt8]) throws(SystemError) {
    var reader = ByteReader()
    guard let name = reader.readText(payload.span, limit: 1 << 16),
      let place = reader.readText(payload.span, limit: 1 << 16),
      let events: UInt64 = reader.read(payload.span), let bytes: UInt64 = reader.read(payload.span),
      let time: Int64 = reader.read(payload.span)
    else { return }
    var limits = StepLimits()
    limits.events = Int(clamping: events)
    limits.bytes = Int(clamping: bytes)
    limits.time = time
    do throws(PluginLoadError) {
      plugin = try LocalPlugin(
        path: place.isEmpty ? "/proc/self/fd/\(WorkerEntry.image)" : place, name: name,
        limits: limits,
        ownsProcess: true, didLoad: { report = confinement.applyAfterLoading(report) })
    } catch {
      // The linker's words name a path that says nothing outside this process.
      let words = error.explanation.replacing("/proc/self/fd/\(WorkerEntry.image)", with: name)
      return try channel.send(WorkerMessage(.refused, Array(words.utf8)))
    }
    guard let plugin else { return }
    try channel.send(WorkerMessage(.loaded, report.encoded + plugin.manifestBytes))
  }

  private func create(
    _ payload: [UInt8], _ reader: ByteReader, _ exchange: UInt32
  ) throws(SystemError) {
    let bytes = payload.span
    var reader = reader
    guard let number: Int32 = reader.read(bytes),
      let viewModel = reader.readText(bytes, limit: 1 << 16),
      let config = reader.readRun(bytes, limit: WorkerMessage.maxPayload),
      let locale = reader.readText(bytes, limit: 1 << 16),
      let timeZone = reader.readText(bytes, limit: 1 << 16),
      let seed: UInt64 = reader.read(bytes), let epoch: Int64 = reader.read(bytes),
      let time: Int64 = reader.read(bytes)
    else { return }
    var specification = InstanceSpecification(viewModel: viewModel)
    specification.config = Array(payload[config])
    specification.locale = locale
    specification.timeZone = timeZone
    specification.seed = seed
    specification.epoch = epoch
    specification.time = time
    emissions.removeAll()
    plugin?.create(specification, as: number, into: &emissions)
    let fits = window.commit(emissions, from: 0, 0, steps: 1)
    try finish(
      exchange, next: 1, from: fits ? emissions.count : 0, fits ? emissions.bytes.count : 0)
  }

  private func deliver(
    _ payload: [UInt8], _ reader: ByteReader, _ exchange: UInt32
  ) throws(SystemError) {
    var reader = reader
    guard let first: UInt32 = reader.read(payload.span),
      let count: UInt32 = reader.read(payload.span)
    else { return }
    try unsafe window.withDelivered(Int(count)) { records, bytes throws(SystemError) in
      try unsafe deliver(records, bytes, from: Int(first), exchange)
    }
  }

  /// Delivers an event that comes in the frame itself.
  private func deliverOne(
    _ payload: [UInt8], _ reader: ByteReader, _ exchange: UInt32
  ) throws(SystemError) {
    var reader = reader
    guard let first: UInt32 = reader.read(payload.span),
      payload.count >= reader.offset + EventBatch.Record.size
    else { return }
    var event = EventBatch()
    let content = reader.offset + EventBatch.Record.size
    unsafe payload.withUnsafeBytes { payload in
      unsafe event.append(
        uncheckedRecords: UnsafeRawBufferPointer(rebasing: payload[reader.offset..<content]),
        bytes: UnsafeRawBufferPointer(rebasing: payload[content...]))
    }
    // In the frame its bytes follow it.
    event.moveBytes(by: -event.records[0].nameStart, from: 0)
    let (record, bytes) = (event.records.span, event.bytes.span)
    try unsafe record.withUnsafeBufferPointer { record throws(SystemError) in
      try unsafe bytes.withUnsafeBytes { bytes throws(SystemError) in
        try unsafe deliver(record, bytes.baseAddress, from: Int(first), exchange)
      }
    }
  }

  private func deliver(
    _ records: UnsafeBufferPointer<EventBatch.Record>, _ bytes: UnsafeRawPointer?,
    from first: Int, _ exchange: UInt32
  ) throws(SystemError) {
    emissions.removeAll()
    let window = window
    // How much of the emissions lies in the window.
    var (recordCount, byteCount) = (0, 0)
    let made =
      unsafe plugin?.deliver(records, bytes, steps: first, into: &emissions) { step, emissions in
        guard window.commit(emissions, from: recordCount, byteCount, steps: step + 1 - first)
        else { return false }
        recordCount = emissions.count
        byteCount = emissions.bytes.count
        return true
      } ?? 0
    try finish(exchange, next: first + made, from: recordCount, byteCount)
  }

  /// Plays a transcript here, so that it takes one exchange and not one for each event.
  private func play(_ transcript: [UInt8], _ exchange: UInt32) throws(SystemError) {
    guard let plugin else { return }
    let verdict = WorkerTranscript.play(transcript, plugin, context)
    host_flush_prints()
    try channel.send(WorkerMessage(.played, verdict.payload(exchange: exchange)))
  }

  private func write(_ memory: UnsafeRawBufferPointer) throws(SystemError) {
    let bytes = unsafe memory.bindMemory(to: UInt8.self)
    try unsafe Descriptor.send(channel.number, Span(_unsafeElements: bytes))
  }

  /// Says that the exchange is done, and what the window had no room for.
  private func finish(
    _ exchange: UInt32, next: Int, from records: Int, _ bytes: Int
  ) throws(SystemError) {
    let count = emissions.count - records
    let size = count * EventBatch.Record.size + emissions.bytes.count - bytes
    var frame = WorkerMessage.header(.done, count: 12 + size)
    ByteWriter.append(exchange, to: &frame)
    ByteWriter.append(UInt32(next), to: &frame)
    ByteWriter.append(UInt32(count), to: &frame)
    try Descriptor.send(channel.number, frame.span)
    guard count > 0 else { return }
    emissions.moveBytes(by: -bytes, from: records)
    try unsafe emissions.withMemory(of: records..<emissions.count) {
      records, bytes throws(SystemError) in
      try unsafe write(records)
      try unsafe write(bytes)
    }
    emissions.removeAll()
  }
}
