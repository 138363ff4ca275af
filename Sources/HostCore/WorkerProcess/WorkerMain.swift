import HostShims

/// The inside of a worker process. It loads one plugin and handles the host's messages until the
/// host closes the connection.
package final class WorkerMain {
  private var channel: WorkerChannel
  private let sharedBuffer: SharedBuffer
  private let confinement: Confinement
  private let context = ReplayContext(pluginPath: [])
  private var report: ConfinementReport
  private var plugin: LocalPlugin?
  private var limits = StepLimits()
  private var awakeWait = AwakeWait()
  /// The last exchange of which the message has arrived.
  private var latestExchange: UInt32 = 0
  /// The plugin's emissions in the current exchange.
  private var emissions = EventBatch()
  /// How many steps of the session have ended their exchange because something was printed.
  private var printingSteps = 0

  /// Tells a host of another version which version this is.
  package static func tellVersion() throws(SystemError) {
    var version: [UInt8] = []
    ByteWriter.append(WorkerMessage.version, to: &version)
    try WorkerChannel(number: WorkerEntry.socket).send(WorkerMessage(.ready, version))
  }

  /// Confines this process, which must have just started, as the host's first message says. Nil if
  /// that is no such message, or the host has closed the connection.
  ///
  /// - Throws: `SystemError` if the socket fails, or the shared buffer can't be mapped.
  package init?() throws(SystemError) {
    channel = WorkerChannel(number: WorkerEntry.socket)
    sharedBuffer = SharedBuffer(
      try SharedMemory(
        mapping: FileDescriptor(adopting: WorkerEntry.buffer), count: SharedBuffer.size))
    host_print_by_line()
    host_control_session(Self.startingSeed)
    if Environment.value(ConfinedProcess.Command.refusingThreads) != nil { host_deny_threads() }
    guard let confinement = try Self.confinement(&channel) else { return nil }
    self.confinement = confinement
    report = confinement.applyBeforeLoading()
  }

  /// Waits for the host's first message.
  private static func confinement(
    _ channel: inout WorkerChannel
  ) throws(SystemError) -> Confinement? {
    while true {
      try channel.wait()
      switch try channel.receive() {
      case .message(let message):
        return message.kind == .confine ? Confinement(encoded: message.payload.span) : nil
      case .nothing: continue
      case .end, .garbage: return nil
      }
    }
  }

  /// The seed for random numbers until a session gives one. It is a constant, unless this worker
  /// should differ from others.
  private static var startingSeed: UInt64 {
    guard Environment.value(ConfinedProcess.Command.fixedHashing) == nil else { return 0 }
    var random = SystemRandomNumberGenerator()
    return random.next()
  }

  /// Handles messages until the host closes the connection.
  ///
  /// - Throws: `SystemError` if the socket fails.
  package func run() throws(SystemError) {
    var greeting: [UInt8] = []
    ByteWriter.append(WorkerMessage.version, to: &greeting)
    try channel.send(WorkerMessage(.ready, greeting + report.encoded))
    while true {
      if !waitAwake() { try channel.wait() }
      switch try channel.receive() {
      case .message(let message): try handle(message)
      case .nothing: continue
      case .end, .garbage: return
      }
    }
  }

  /// Waits a little for the next exchange, if the host announces exchanges.
  ///
  /// - Returns: whether its message is on the socket.
  private func waitAwake() -> Bool {
    guard sharedBuffer.announced != 0 else { return false }
    let (sharedBuffer, latest) = (sharedBuffer, latestExchange)
    return awakeWait.wait { Int32(bitPattern: sharedBuffer.announced &- latest) > 0 }
  }

  private func handle(_ message: WorkerMessage) throws(SystemError) {
    if message.kind == .load { return try load(message.payload) }
    var reader = ByteReader()
    guard let exchange: UInt32 = reader.read(message.payload.span) else { return }
    latestExchange = exchange
    defer { sharedBuffer.answer(exchange) }
    switch message.kind {
    case .create: try create(message.payload, reader, exchange)
    case .deliver: try deliver(message.payload, reader, exchange)
    case .deliverOne: try deliverOne(message.payload, reader, exchange)
    case .destroy:
      guard let number: Int32 = reader.read(message.payload.span),
        let asksForLeaks: UInt8 = reader.read(message.payload.span)
      else { return }
      emissions.removeAll()
      plugin?.destroy(number, into: &emissions)
      try tellLeaks(exchange, asksForLeaks != 0)
    case .play: try play(message.payload, reader, exchange)
    case .leaks: try tellLeaks(exchange, true)
    case .confine, .load, .ready, .loaded, .refused, .done, .played, .leaked: return
    }
  }

  private func load(_ payload: [UInt8]) throws(SystemError) {
    var reader = ByteReader()
    guard let name = reader.readText(payload.span, limit: 1 << 16),
      let path = reader.readText(payload.span, limit: 1 << 16)
    else { return }
    var limits = StepLimits()
    for limit in StepLimit.allCases {
      guard let value: UInt64 = reader.read(payload.span) else { return }
      limits[limit] = Int(clamping: value)
    }
    guard let time: Int64 = reader.read(payload.span) else { return }
    limits.time = time
    self.limits = limits
    var runtime: [String] = []
    while !reader.isAtEnd(of: payload.span) {
      guard let library = reader.readText(payload.span, limit: 1 << 16) else { return }
      runtime.append(library)
    }
    var hasAnswered = false
    var failure: SystemError?
    do throws(PluginLoadError) {
      plugin = try LocalPlugin(
        path: path.isEmpty ? "/proc/self/fd/\(WorkerEntry.image)" : path, name: name,
        limits: limits, runtime: runtime, ownsProcess: true,
        didLoad: { report = confinement.applyAfterLoading(report) },
        didDescribe: { manifest in
          // The host checks the manifest while this process does, and finds the same mistakes.
          do throws(SystemError) {
            try channel.send(WorkerMessage(.loaded, report.encoded + manifest))
          } catch { failure = error }
          hasAnswered = true
        })
    } catch {
      // The linker's message has a path that means nothing outside of this process.
      let text = error.explanation.replacing("/proc/self/fd/\(WorkerEntry.image)", with: name)
      if !hasAnswered { try channel.send(WorkerMessage(.refused, Array(text.utf8))) }
    }
    if let failure { throw failure }
  }

  private func create(
    _ payload: [UInt8], _ reader: ByteReader, _ exchange: UInt32
  ) throws(SystemError) {
    let bytes = payload.span
    var reader = reader
    guard let use = reader.readUse(bytes), let number: Int32 = reader.read(bytes),
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
    if plugin?.isEmpty == true { printingSteps = 0 }
    plugin?.create(specification, as: number, after: use, into: &emissions)
    let fits = sharedBuffer.commit(emissions, from: 0, 0, steps: 1)
    try finish(
      exchange, next: 1, from: fits ? emissions.count : 0, fits ? emissions.bytes.count : 0)
  }

  private func deliver(
    _ payload: [UInt8], _ reader: ByteReader, _ exchange: UInt32
  ) throws(SystemError) {
    var reader = reader
    guard let use = reader.readUse(payload.span), let first: UInt32 = reader.read(payload.span),
      let count: UInt32 = reader.read(payload.span)
    else { return }
    try unsafe sharedBuffer.withDelivered(Int(count)) { records, bytes throws(SystemError) in
      try unsafe deliver(records, bytes, from: Int(first), after: use, exchange)
    }
  }

  /// Delivers an event that comes in the message itself.
  private func deliverOne(
    _ payload: [UInt8], _ reader: ByteReader, _ exchange: UInt32
  ) throws(SystemError) {
    var reader = reader
    guard let use = reader.readUse(payload.span), let first: UInt32 = reader.read(payload.span),
      payload.count >= reader.offset + EventBatch.Record.size
    else { return }
    var event = EventBatch()
    let content = reader.offset + EventBatch.Record.size
    unsafe payload.withUnsafeBytes { payload in
      unsafe event.append(
        uncheckedRecords: UnsafeRawBufferPointer(rebasing: payload[reader.offset..<content]),
        bytes: UnsafeRawBufferPointer(rebasing: payload[content...]))
    }
    // In the message, the bytes follow the record.
    event.moveBytes(by: -event.records[0].nameStart, from: 0)
    let (record, bytes) = (event.records.span, event.bytes.span)
    try unsafe record.withUnsafeBufferPointer { record throws(SystemError) in
      try unsafe bytes.withUnsafeBytes { bytes throws(SystemError) in
        try unsafe deliver(record, bytes.baseAddress, from: Int(first), after: use, exchange)
      }
    }
  }

  private func deliver(
    _ records: UnsafeBufferPointer<EventBatch.Record>, _ bytes: UnsafeRawPointer?,
    from first: Int, after use: StepUse, _ exchange: UInt32
  ) throws(SystemError) {
    emissions.removeAll()
    let sharedBuffer = sharedBuffer
    // The records and bytes that are in the shared buffer.
    var (recordCount, byteCount) = (0, 0)
    var printingSteps = printingSteps
    // What was printed before belongs to an earlier exchange.
    _ = host_has_printed()
    let made =
      unsafe plugin?.deliver(
        records, bytes, steps: first, after: use, into: &emissions
      ) { step, emissions in
        guard sharedBuffer.commit(emissions, from: recordCount, byteCount, steps: step + 1 - first)
        else { return false }
        recordCount = emissions.count
        byteCount = emissions.bytes.count
        // The host takes what was printed for a part of the exchange's last step. It shows only so
        // many lines, so that a plugin which prints more needn't be slow.
        guard printingSteps < WorkerPrintout.maxLines, host_has_printed() != 0 else { return true }
        printingSteps += 1
        return false
      } ?? 0
    self.printingSteps = printingSteps
    try finish(exchange, next: first + made, from: recordCount, byteCount)
  }

  /// Plays transcripts here, so that they take one exchange instead of one for each event.
  private func play(
    _ payload: [UInt8], _ reader: ByteReader, _ exchange: UInt32
  ) throws(SystemError) {
    var reader = reader
    guard let plugin, let count: UInt32 = reader.read(payload.span),
      let size: UInt32 = reader.read(payload.span)
    else { return }
    let transcripts = sharedBuffer.deliveredTranscripts(Int(size))
    var position = ByteReader()
    let start = SystemClock.monotonic()
    var time = start
    for index in 0..<Int(count) where time - start < WorkerVerdict.batchTime {
      let limit = WorkerVerdict.maxTranscriptBytes
      guard let run = position.readRun(transcripts.span, limit: limit) else { return }
      var verdict = WorkerTranscript.play(Array(transcripts[run]), plugin, context, limits)
      let end = SystemClock.monotonic()
      (verdict.time, time) = (end - time, end)
      sharedBuffer.report(verdict, at: index)
    }
    host_flush_prints()
    var number: [UInt8] = []
    ByteWriter.append(exchange, to: &number)
    try channel.send(WorkerMessage(.played, number))
  }

  /// Ends an exchange, with what the plugin says of its leaks if the host asked for it.
  private func tellLeaks(_ exchange: UInt32, _ isAsked: Bool) throws(SystemError) {
    var answer: [UInt8] = []
    ByteWriter.append(exchange, to: &answer)
    if isAsked, let plugin { answer += plugin.leakBytes() }
    // This may be the last message, and the end of the process would lose buffered prints.
    host_flush_prints()
    try channel.send(WorkerMessage(.leaked, answer))
  }

  private func write(_ memory: UnsafeRawBufferPointer) throws(SystemError) {
    let bytes = unsafe memory.bindMemory(to: UInt8.self)
    try unsafe Descriptor.send(channel.number, Span(_unsafeElements: bytes))
  }

  /// Ends the exchange, and sends the emissions that didn't fit in the shared buffer.
  private func finish(
    _ exchange: UInt32, next: Int, from records: Int, _ bytes: Int
  ) throws(SystemError) {
    let count = emissions.count - records
    let size = count * EventBatch.Record.size + emissions.bytes.count - bytes
    var message = WorkerMessage.header(.done, count: 12 + size)
    ByteWriter.append(exchange, to: &message)
    ByteWriter.append(UInt32(next), to: &message)
    ByteWriter.append(UInt32(count), to: &message)
    try Descriptor.send(channel.number, message.span)
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
