import Glibc
import HostShims
import PluginABI

/// A plugin in this process. It serves debuggers, embedding, and the inside of workers.
///
/// Calls never overlap, because the session that owns the plugin makes them one after another.
@safe package final class LocalPlugin: PluginConnection {
  package let manifest: PluginManifest
  package let digest: String? = nil
  package let recentLines = RecentLines()
  package let slowSteps = SlowSteps()
  private let monitor: StepMonitor
  private let table: PluginTable
  private let limits: StepLimits
  private let ownsProcess: Bool
  /// The instances by the session's numbers; nil for those that were destroyed.
  private var instances: [OpaquePointer?] = unsafe []
  /// The numbers of the living instances, in order of creation.
  private var order = NumberedList<Int32>()
  /// The view models of the living instances.
  private var viewModels: [Int32: String] = [:]
  /// How many instances were opened since the plugin was last asked for its leaks.
  private var opened: [String: Int] = [:]

  /// Loads the library at `path` and checks its manifest.
  ///
  /// - Parameters:
  ///   - name: the plugin as the user named it, for errors.
  ///   - runtime: the libraries of the Swift runtime that it needs; nil to look for them.
  ///   - ownsProcess: whether nothing else runs in this process.
  ///   - monitor: tells a watchdog what the plugin is doing, including its loading.
  ///   - didLoad: called once the library is in memory, before its functions are called.
  ///   - didDescribe: called with the manifest as the plugin gave it, unchecked.
  package init(
    path: String, name: String, limits: StepLimits = StepLimits(), runtime: [String]? = nil,
    ownsProcess: Bool = false, monitor: StepMonitor? = nil, didLoad: () -> Void = {},
    didDescribe: ([UInt8]) -> Void = { _ in }
  ) throws(PluginLoadError) {
    let monitor = monitor ?? StepMonitor(plugin: name)
    self.monitor = monitor
    monitor.begin(instance: -1, kind: StepMonitor.loading, port: -1)
    defer { monitor.end() }
    guard !path.isEmpty else { throw PluginLoadError(name, .notFound(searched: [])) }
    // A name without a slash would have the linker search the system's folders.
    let path = Files.folder(of: path) != nil ? path : "./\(path)"
    table = try PluginTable(
      loading: path, named: name, runtime: runtime ?? RuntimeLibraries.needed(by: path),
      didLoad: didLoad)
    self.limits = limits
    self.ownsProcess = ownsProcess
    if ownsProcess { table.giveProcess() }
    let bytes = unsafe table.manifest()
    guard let json = unsafe Self.copy(bytes, limit: 1 << 24) else {
      throw PluginLoadError(name, .badManifest("its bytes are NULL or more than 16 MiB"))
    }
    didDescribe(json)
    do { manifest = try PluginManifest(json: json) } catch {
      throw PluginLoadError(name, error.reason)
    }
    monitor.register(plugin: manifest.id)
  }

  /// Whether there are no living instances.
  var isEmpty: Bool { order.isEmpty }

  deinit {
    for number in order { destroyInstance(number) }
  }

  package func create(
    _ specification: InstanceSpecification, as number: Int32, after use: StepUse,
    into emissions: inout EventBatch
  ) {
    var made: OpaquePointer?
    var message = unsafe vm_bytes(data: nil, size: 0)
    monitor.register(number, manifest.viewModel(specification.viewModel))
    monitor.begin(instance: number, kind: 0, port: -1)
    defer { monitor.end() }
    // The first instance starts a new session in this process, and nothing of the previous one may
    // show. The instance seeds its own generator with `seed`, so the process gets another seed.
    if ownsProcess && isEmpty { host_session_begin(specification.epoch, ~specification.seed) }
    host_session_set_time(specification.time)
    let status = unsafe withBytes(
      Array(specification.viewModel.utf8), specification.config, Array(specification.locale.utf8),
      Array(specification.timeZone.utf8)
    ) { viewModel, config, locale, timeZone in
      var info = unsafe vm_create_info(
        size: UInt32(MemoryLayout<vm_create_info>.size), reserved: 0, view_model: viewModel,
        config: config, locale: locale, time_zone: timeZone, seed: specification.seed,
        epoch_ns: specification.epoch, time_ns: specification.time)
      return unsafe table.create(&info, &made, &message)
    }
    guard status == VM_OK else {
      return unsafe appendRefusal(status, message, instance: number, step: 0, to: &emissions)
    }
    guard let made = unsafe made else {
      return appendViolation(
        "create returned VM_OK without an instance", instance: number, step: 0, to: &emissions)
    }
    while unsafe instances.count <= Int(number) { unsafe instances.append(nil) }
    unsafe instances[Int(number)] = unsafe made
    order.append(number, number: number)
    viewModels[number] = specification.viewModel
    opened[specification.viewModel, default: 0] += 1
    var drain = StepDrain(limits: limits, after: use)
    _ = unsafe settle(number, made, &drain, into: &emissions)
  }

  package func deliver(
    _ events: borrowing EventBatch, from first: Int, after use: StepUse,
    into emissions: inout EventBatch
  ) -> Int {
    // A clock reading for each event would cost as much as a step of a fast plugin. So a slow batch
    // counts as its first event, and the host finds out more. In a process with other code, much
    // else takes time.
    let start = ownsProcess ? SystemClock.monotonic() : nil
    defer {
      if let start { noteTime(SystemClock.monotonic() - start, of: events, first) }
    }
    let records = events.records.span.extracting(first...)
    let bytes = events.bytes.span
    return unsafe records.withUnsafeBufferPointer { records in
      unsafe bytes.withUnsafeBytes { bytes in
        unsafe first
          + deliver(
            records, bytes.baseAddress, steps: first, after: use, into: &emissions
          ) { _, emissions in !emissions.isLarge }
      }
    }
  }

  private func noteTime(_ time: Nanoseconds, of events: borrowing EventBatch, _ index: Int) {
    let record = events.records[index]
    guard time >= SlowStep.limit, let viewModel = viewModels[record.instance] else { return }
    slowSteps.add(SlowStep(record, name: events.name(of: record), of: viewModel, took: time))
  }

  package func takeLeaks(into emissions: inout EventBatch) -> [Leak] {
    defer { opened = [:] }
    // In a process with other threads, a task may still run that holds an instance: no leak.
    guard ownsProcess, !opened.isEmpty else { return [] }
    return Leak.all(in: leakBytes().span, of: opened)
  }

  /// What the plugin says of its leaks.
  func leakBytes() -> [UInt8] { unsafe Self.copy(table.takeLeaks(), limit: 1 << 16) ?? [] }

  /// Delivers events from memory.
  ///
  /// - Parameters:
  ///   - bytes: the start of the bytes of the events.
  ///   - first: the number of the first step.
  ///   - use: what the session's step has used up before.
  ///   - didFinish: called after each step; false ends the delivery.
  /// - Returns: the number of steps made.
  func deliver(
    _ records: UnsafeBufferPointer<EventBatch.Record>, _ bytes: UnsafeRawPointer?,
    steps first: Int, after use: StepUse, into emissions: inout EventBatch,
    didFinish: (_ step: Int, _ emissions: inout EventBatch) -> Bool
  ) -> Int {
    // This is read once for the batch, since it doesn't change during the delivery.
    let instances = unsafe self.instances
    var drain = StepDrain(limits: limits, after: use)
    var index = 0
    while index < records.count {
      let step = first + index
      let record = unsafe records[index]
      drain.begin(Int32(truncatingIfNeeded: step))
      monitor.begin(
        instance: record.instance, kind: UInt8(truncatingIfNeeded: record.code), port: record.port)
      let goesOn = unsafe deliver(
        record, to: instances, bytes: bytes, &drain, into: &emissions)
      // A `defer` would cost a check of exclusive access for each event.
      monitor.end()
      index += 1
      guard didFinish(step, &emissions), goesOn else { break }
    }
    return index
  }

  /// Makes one step. Returns false if the session must see its emissions before the next event.
  private func deliver(
    _ record: EventBatch.Record, to instances: [OpaquePointer?], bytes: UnsafeRawPointer?,
    _ drain: inout StepDrain, into emissions: inout EventBatch
  ) -> Bool {
    guard let instance = unsafe Self.living(record.instance, among: instances) else {
      appendViolation(
        "there is no such instance", instance: record.instance, step: drain.step, to: &emissions)
      return false
    }
    let name = unsafe bytes.map {
      unsafe ($0 + record.nameStart).assumingMemoryBound(to: UInt8.self)
    }
    let nameCount = Int(record.nameCount)
    var event = unsafe vm_event(
      size: UInt32(MemoryLayout<vm_event>.size), kind: record.code,
      id: record.isOf(.input) ? 0 : record.id, time_ns: record.time,
      name: vm_bytes(data: name, size: nameCount),
      json: vm_bytes(data: name.map { unsafe $0 + nameCount }, size: Int(record.valueCount)))
    var message = unsafe vm_bytes(data: nil, size: 0)
    host_session_set_time(record.time)
    let status = unsafe table.send(instance, &event, &message)
    guard status == VM_OK else {
      unsafe appendRefusal(
        status, message, instance: record.instance, step: drain.step, to: &emissions)
      return false
    }
    return unsafe settle(record.instance, instance, &drain, into: &emissions)
  }

  /// The rounds without an event after which a plugin counts as idle, even if it always says that
  /// it woke others. The second round finds what a later instance woke in the first.
  private static let maxIdleRounds = 2

  /// Polls the instance, and all others if it woke some, until all are idle. Returns false if the
  /// session must see the emissions before the next event.
  private func settle(
    _ number: Int32, _ instance: OpaquePointer, _ drain: inout StepDrain,
    into emissions: inout EventBatch
  ) -> Bool {
    if unsafe drain.poll(table, instance, number, into: &emissions) {
      settleOthers(&drain, into: &emissions)
    }
    return !drain.hasNews
  }

  /// Polls all instances until they are idle. It is a function of its own because the compiler
  /// would check the access to `order` for each event otherwise.
  @inline(never) private func settleOthers(
    _ drain: inout StepDrain, into emissions: inout EventBatch
  ) {
    var othersWoken = true
    var idleRounds = 0
    while othersWoken && idleRounds < Self.maxIdleRounds && !drain.isBroken {
      othersWoken = false
      let before = drain.events
      for other in order where !drain.isBroken {
        guard let instance = unsafe living(other) else { continue }
        if unsafe drain.poll(table, instance, other, into: &emissions) { othersWoken = true }
      }
      idleRounds = drain.events > before ? 0 : idleRounds + 1
    }
  }

  package func destroy(_ number: Int32, isLast: Bool, into emissions: inout EventBatch) {
    order.remove(number)
    destroyInstance(number)
  }

  private func destroyInstance(_ number: Int32) {
    guard let instance = unsafe living(number) else { return }
    unsafe instances[Int(number)] = nil
    viewModels[number] = nil
    monitor.begin(instance: number, kind: StepMonitor.ending, port: -1)
    unsafe table.destroy(instance)
    monitor.end()
    monitor.register(number, nil)
  }

  private func living(_ number: Int32) -> OpaquePointer? {
    unsafe Self.living(number, among: instances)
  }

  private static func living(
    _ number: Int32, among instances: [OpaquePointer?]
  ) -> OpaquePointer? {
    let index = Int(number)
    guard unsafe instances.indices.contains(index) else { return nil }
    return unsafe instances[index]
  }
}

extension LocalPlugin {
  /// A copy of a plugin's bytes, or nil if they are NULL or their size is impossible.
  fileprivate static func copy(_ bytes: vm_bytes, limit: Int) -> [UInt8]? {
    if unsafe bytes.size == 0 { return [] }
    // A size_t over half of the address space comes as a negative number.
    guard let data = unsafe bytes.data, unsafe bytes.size > 0, unsafe bytes.size <= limit
    else { return nil }
    return unsafe Array(UnsafeBufferPointer(start: data, count: bytes.size))
  }

  fileprivate func appendRefusal(
    _ status: vm_status, _ message: vm_bytes, instance: Int32, step: Int32,
    to emissions: inout EventBatch
  ) {
    var record = EventBatch.Record(
      kind: .refusal, instance: instance, id: UInt64(bitPattern: Int64(status)))
    record.step = step
    let text = unsafe Self.copy(message, limit: 1 << 16) ?? []
    emissions.append(record, name: [UInt8]().span, value: text.span)
  }

  fileprivate func appendViolation(
    _ text: String, instance: Int32, step: Int32, to emissions: inout EventBatch
  ) {
    emissions.appendViolation(text, instance: instance, step: step)
  }

  /// Passes four byte arrays to C at once.
  fileprivate func withBytes<Result>(
    _ first: [UInt8], _ second: [UInt8], _ third: [UInt8], _ fourth: [UInt8],
    _ body: (vm_bytes, vm_bytes, vm_bytes, vm_bytes) -> Result
  ) -> Result {
    unsafe first.withUnsafeBufferPointer { first in
      unsafe second.withUnsafeBufferPointer { second in
        unsafe third.withUnsafeBufferPointer { third in
          unsafe fourth.withUnsafeBufferPointer { fourth in
            unsafe body(
              vm_bytes(data: first.baseAddress, size: first.count),
              vm_bytes(data: second.baseAddress, size: second.count),
              vm_bytes(data: third.baseAddress, size: third.count),
              vm_bytes(data: fourth.baseAddress, size: fourth.count))
          }
        }
      }
    }
  }
}
