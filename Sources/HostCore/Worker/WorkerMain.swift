import HostShims

/// The inside of a worker process: loads one plugin and does what the host says, frame after
/// frame, until the host hangs up.
package final class WorkerMain {
  /// The descriptors that the host gives a worker.
  package static let socket: Int32 = 3
  package static let image: Int32 = 4
  package static let window: Int32 = 5
  /// The first argument of a worker; what follows is its confinement.
  package static let command = "__worker"

  private var channel: WorkerChannel
  private let window: SharedWindow
  private let confinement: Confinement
  private var report: ConfinementReport
  private var plugin: LocalPlugin?
  /// Emissions on their way into the window, and how much of the window is used.
  private var pending: [UInt8] = []
  private var used = 0

  /// Confines this process, which must have just started.
  package init(_ confinement: Confinement) throws(SystemError) {
    self.confinement = confinement
    channel = WorkerChannel(number: Self.socket)
    window = SharedWindow(
      try SharedMemory(
        mapping: FileDescriptor(adopting: Self.window), count: SharedWindow.size))
    host_print_by_line()
    report = confinement.applyBeforeLoading()
  }

  /// Works until the host hangs up.
  package func run() throws(SystemError) {
    var greeting: [UInt8] = []
    ByteWriter.append(WorkerFrame.version, to: &greeting)
    try channel.send(WorkerFrame(.ready, greeting + report.encoded))
    while true {
      switch try channel.receive() {
      case .frame(let frame): try obey(frame)
      case .nothing: continue
      case .end, .garbage: return
      }
    }
  }

  private func obey(_ frame: WorkerFrame) throws(SystemError) {
    switch frame.kind {
    case .load: try load(frame.payload)
    case .create: try create(frame.payload)
    case .deliver: try deliver(frame.payload)
    case .destroy:
      var reader = ByteReader()
      guard let number: Int32 = reader.read(frame.payload.span) else { return }
      plugin?.destroy(number)
      try finish(consumed: 0)
    case .drained, .ready, .loaded, .refused, .window, .done: return
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
        path: place.isEmpty ? "/proc/self/fd/\(Self.image)" : place, name: name, limits: limits,
        didLoad: { report = confinement.applyAfterLoading(report) })
    } catch {
      // The linker's words name a path that says nothing outside this process.
      let words = error.explanation.replacing("/proc/self/fd/\(Self.image)", with: name)
      return try channel.send(WorkerFrame(.refused, Array(words.utf8)))
    }
    guard let plugin else { return }
    plugin.didFinishStep = { [unowned self] index, emissions in
      self.commit(step: index, &emissions)
    }
    try channel.send(WorkerFrame(.loaded, report.encoded + plugin.manifestBytes))
  }

  private func create(_ payload: [UInt8]) throws(SystemError) {
    let bytes = payload.span
    var reader = ByteReader()
    guard let number: Int32 = reader.read(bytes),
      let viewModel = reader.readText(bytes, limit: 1 << 16),
      let config = reader.readRun(bytes, limit: WorkerFrame.largestPayload),
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
    var emissions = EventBatch()
    begin()
    plugin?.create(specification, as: number, into: &emissions)
    commit(step: 0, &emissions)
    try finish(consumed: 1)
  }

  private func deliver(_ payload: [UInt8]) throws(SystemError) {
    var events = EventBatch()
    _ = EventStream.read(
      payload.span, into: &events, longestValue: WorkerFrame.largestPayload,
      isAllowed: { _ in true })
    begin()
    var emissions = EventBatch()
    let consumed = plugin?.deliver(events, from: 0, into: &emissions) ?? 0
    try finish(consumed: consumed)
  }

  // MARK: The window

  private func begin() {
    used = 0
    window.finishedBytes = 0
    window.finishedSteps = 0
  }

  /// Puts what a step emitted where the host finds it even if the next step ends the process.
  private func commit(step: Int, _ emissions: inout EventBatch) {
    for record in emissions.records {
      EventStream.append(record, of: emissions, to: &pending)
    }
    emissions.removeAll()
    var written = 0
    while pending.count - written > SharedWindow.capacity - used {
      let part = SharedWindow.capacity - used
      window.write(pending.span.extracting(written..<written + part), at: used)
      written += part
      handOver()
    }
    window.write(pending.span.extracting(written..<pending.count), at: used)
    used += pending.count - written
    pending.removeAll(keepingCapacity: pending.capacity <= 1 << 20)
    window.finishedBytes = used
    window.finishedSteps = step + 1
  }

  /// Has the host empty a full window.
  private func handOver() {
    window.finishedBytes = SharedWindow.capacity
    do throws(SystemError) {
      try channel.send(WorkerFrame(.window))
      while true {
        switch try channel.receive() {
        case .frame(let frame) where frame.kind == .drained:
          used = 0
          window.finishedBytes = 0
          return
        case .nothing: continue
        case .frame, .end, .garbage: Exit.now(0)
        }
      }
    } catch {
      // The host is gone, and with it the reason to go on.
      Exit.now(0)
    }
  }

  private func finish(consumed: Int) throws(SystemError) {
    var payload: [UInt8] = []
    ByteWriter.append(UInt32(consumed), to: &payload)
    try channel.send(WorkerFrame(.done, payload))
  }
}
