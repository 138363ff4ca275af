import CanonicalJSON

/// Records a session in a file while it runs, as a transcript that replays it.
///
/// Each event is written to the file before a plugin gets it. Inputs for a plugin in a process of
/// its own are written together, once it has handled them and before anything is done with what
/// they led to: the plugin can't crash this process. So even if the process is killed, the file
/// lacks at most what the last step emitted, of all steps that had an effect. Time is written when
/// something happens, as one `+` line.
package final class TranscriptRecorder: InputRecorder {
  /// The position at the end of the file.
  private struct Position {
    var size = 0
    var time: Nanoseconds = 0
    var steps = 0
    var hasHead = false
    var hasFlow = false
    /// How many of the session's plugins are named in the file.
    var plugins = 0
    /// The index of the plugin that was named last.
    var latestPlugin = -1
    /// The last step, if time passed in it.
    var wait: Wait?
  }

  /// A step in which time passes.
  private struct Wait {
    /// The offset of its line in the file.
    let offset: Int
    /// The time at which it begins.
    let beginning: Nanoseconds
    /// Whether it has emitted nothing.
    var isSilent = true
  }

  package let path: String
  private let isInMemory: Bool
  private let file: FileDescriptor
  private let secrets: Secrets
  private let headers: RecordedHeaders
  /// What the file says about the run, besides its plugins.
  private let details: [String: JSONValue]
  private var storage: RecordingStorage?
  private var position = Position()
  /// The position before the current step.
  private var before = Position()
  private var failure: SystemError?
  /// What the last step emitted, if it is to be written with the next step's line.
  private var pending: [UInt8] = []
  /// Whether more inputs follow at once, so that two writes a step would be one too many.
  private var isWithinBatch = false
  /// How many of the session's events are in the file already.
  private var taken = 0
  /// Whether no plugin has broken down.
  private var isWhole = true

  /// Creates the file, which must not exist yet.
  ///
  /// - Parameters:
  ///   - headers: the names of response headers to keep besides the usual ones.
  ///   - clock: the clock of the session.
  package convenience init(
    path: String, secrets: Secrets, headers: [String], clock: SessionDriver.Clock
  ) throws(SystemError) {
    self.init(
      try FileDescriptor.createForAppending(path), path: path, isInMemory: false,
      secrets: secrets, headers: headers, clock: clock)
  }

  /// Records in memory.
  ///
  /// - Parameter path: the file that it could become, which its names are relative to.
  convenience init(
    inMemoryAs path: String, secrets: Secrets, clock: SessionDriver.Clock
  ) throws(SystemError) {
    self.init(
      try FileDescriptor.createInMemory(), path: path, isInMemory: true, secrets: secrets,
      headers: [], clock: clock)
  }

  private init(
    _ file: consuming FileDescriptor, path: String, isInMemory: Bool, secrets: Secrets,
    headers: [String], clock: SessionDriver.Clock
  ) {
    self.path = path
    self.isInMemory = isInMemory
    self.secrets = secrets
    self.headers = RecordedHeaders(headers)
    details = [
      "vmhost": .string(HostVersion.number), "clock": .string(clock.rawValue),
      "cpu": .string(Processor.kind),
    ]
    self.file = file
  }

  /// All that was recorded.
  func content() throws(SystemError) -> [UInt8] { try file.read(at: 0, count: position.size) }

  /// How many steps the file has.
  package var steps: Int { position.steps }

  /// The storage that a session is to use, so that what it reads from `storage` is recorded.
  package func watch(_ storage: any StorageBackend) -> any StorageBackend {
    let watched = RecordingStorage(storage)
    self.storage = watched
    return watched
  }

  /// The part of a reply that the file keeps. The plugin gets only that part, too.
  func kept(of value: [UInt8], _ effect: String?) -> [UInt8] {
    effect == "http" ? headers.filtered(value) : value
  }

  // MARK: Steps

  /// Writes the beginning of a step: the time up to it, and its line.
  func begin(_ command: ScriptCommand, _ session: SessionEngine) throws(SessionError) {
    try begin(session) { bytes in TranscriptWriter.append(redacted(command), to: &bytes) }
  }

  func begin(
    input: EventBatch.Record, of inputs: borrowing EventBatch, _ session: SessionEngine
  ) throws(SessionError) {
    try begin(session) { bytes in append(input: input, of: inputs, session, to: &bytes) }
  }

  package func record(
    _ inputs: Range<Int>, of batch: borrowing InputBatch, from position: Int,
    _ session: SessionEngine
  ) throws(SessionError) {
    guard let last = inputs.last else { return }
    writeEvents(of: session, upTo: position)
    let events = session.events
    try begin(session) { bytes in
      for index in inputs {
        append(input: batch.events.records[index], of: batch.events, session, to: &bytes)
        guard index < last else { break }
        while taken < events.count, events.records[taken].step <= index {
          append(events.records[taken], of: events, session, to: &bytes)
          taken += 1
        }
      }
    }
    self.position.steps += inputs.count - 1
  }

  private func begin(
    _ session: SessionEngine, line: (inout [UInt8]) -> Void
  ) throws(SessionError) {
    var bytes = pending + (try prepare(for: session.now, session))
    pending.removeAll(keepingCapacity: true)
    if session.now > position.time {
      TranscriptWriter.append(.advance(session.now - position.time), to: &bytes)
      position.steps += 1
    }
    line(&bytes)
    position.time = session.now
    position.wait = nil
    position.steps += 1
    try write(bytes)
  }

  /// Writes the time that passes until timers fire, as one step.
  func beginTimers(at time: Nanoseconds, _ session: SessionEngine) throws(SessionError) {
    var bytes = try prepare(for: time, session)
    position.wait = Wait(offset: position.size + bytes.count, beginning: position.time)
    TranscriptWriter.append(.advance(time - position.time), to: &bytes)
    position.time = time
    position.steps += 1
    try write(bytes)
  }

  /// - Returns: the lines before those of a step at this time.
  private func prepare(
    for time: Nanoseconds, _ session: SessionEngine
  ) throws(SessionError) -> [UInt8] {
    try check()
    try checkNames(session)
    try dropSilentWait(before: time)
    before = position
    before.size += pending.count
    return head(session)
  }

  /// Removes the beginning of the step, which changed nothing.
  func takeBack() {
    do throws(SystemError) {
      try file.truncate(to: before.size)
      position = before
    } catch { failure = failure ?? error }
  }

  /// Notes that a plugin broke down, so that the file can't be replayed to its end.
  func breakOff() { isWhole = false }

  /// Writes what the step emitted, and what it read, before the events are removed. A failure shows
  /// at the next step.
  func take(_ session: SessionEngine) {
    writeEvents(of: session, upTo: session.events.count)
    taken = 0
  }

  /// Writes what steps emit together with the line of the step that follows, until `endBatch`.
  func beginBatch() { isWithinBatch = true }

  func endBatch() {
    isWithinBatch = false
    writeStep(pending)
    pending.removeAll(keepingCapacity: true)
  }

  /// Writes the events of the step that aren't in the file yet, and what it read.
  private func writeEvents(of session: SessionEngine, upTo end: Int) {
    var bytes: [UInt8] = []
    for read in storage?.takeReads() ?? [] { append(read, session, to: &bytes) }
    let events = session.events
    while taken < end {
      append(events.records[taken], of: events, session, to: &bytes)
      taken += 1
      // Many large ones must not be in memory twice.
      if bytes.count > 1 << 20 {
        writeStep(bytes)
        bytes.removeAll()
      }
    }
    writeStep(bytes)
  }

  /// Writes a part of what the step emitted and read.
  private func writeStep(_ bytes: [UInt8]) {
    guard !bytes.isEmpty, failure == nil else { return }
    position.wait?.isSilent = false
    guard !isWithinBatch else {
      pending += bytes
      return
    }
    // The error is kept, and thrown at the next step.
    try? write(bytes)
  }

  /// Completes the file, or removes it if it is empty.
  ///
  /// - Parameter closings: the lines that `closings(of:)` returned before the instances were ended.
  func finish(_ closings: [UInt8]) throws(SessionError) {
    try check()
    guard position.size > 0 || isInMemory else {
      do throws(SystemError) { try Files.remove(path) } catch { throw lost(error) }
      return
    }
    guard isWhole else { return }
    var bytes = closings
    TranscriptWriter.append(.end, to: &bytes)
    try write(bytes)
  }

  /// The lines that close the instances with open requests. The end of the session cancels these
  /// requests, and a transcript has to say so.
  func closings(of session: SessionEngine) -> [UInt8] {
    var bytes: [UInt8] = []
    var left = session.instances.count
    for instance in session.instances where !instance.shownRequests.isEmpty {
      left -= 1
      let name = secrets.redacted(instance.handle)
      TranscriptWriter.append(.close(handle: name), to: &bytes)
      for id in instance.shownRequests.keys.sorted() {
        bytes += Array("x \(left > 0 || session.flow != nil ? "\(name)." : "")\(id)\n".utf8)
      }
    }
    return bytes
  }

  // MARK: Lines

  /// Checks, before anything is written, that all names fit into a line.
  private func checkNames(_ session: SessionEngine) throws(SessionError) {
    var names = session.plugins.indices.dropFirst(position.plugins).map {
      name(ofPlugin: $0, session)
    }
    if !position.hasFlow, let flow = session.flow { names.append(name(of: flow)) }
    for name in names where !Self.fitsLine(name) {
      throw SessionError(
        .mistake(.unsupported),
        "\"\(name.terminalSafeLine)\" can't be named in a recording: it has a tab, a line break or"
          + " another control character, or a space at an end. Rename it.")
    }
  }

  private static func fitsLine(_ name: String) -> Bool {
    let text = name.withoutPathBytes
    // By bytes, since an accent after a space would be one character with it.
    let (bytes, space) = (text.utf8, UInt8(ascii: " "))
    return text.terminalSafeLine == text && !bytes.contains(UInt8(ascii: "\t"))
      && bytes.first != space && bytes.last != space
  }

  /// The lines before the first step, and those of plugins that were added since.
  private func head(_ session: SessionEngine) -> [UInt8] {
    let added = session.plugins[position.plugins...]
    let flow = position.hasFlow ? nil : session.flow
    guard !position.hasHead || !added.isEmpty || flow != nil else { return [] }
    var bytes: [UInt8] = []
    defer { position.hasFlow = position.hasFlow || flow != nil }
    var details: [String: JSONValue] = ["plugins": .object(Self.details(of: added))]
    if !position.hasHead {
      details.merge(self.details) { $1 }
      TranscriptWriter.append(.version(1), to: &bytes)
    }
    TranscriptWriter.append(.recorded(secrets.redacted(.object(details))), to: &bytes)
    if !position.hasHead { appendOptions(session.options, to: &bytes) }
    position.hasHead = true
    for index in added.indices { appendPlugin(index, session, to: &bytes) }
    position.plugins = session.plugins.count
    if let flow { TranscriptWriter.append(.flow(secrets.redacted(name(of: flow))), to: &bytes) }
    return bytes
  }

  private func name(of flow: FlowRules) -> String { Files.path(of: flow.path, fromFolderOf: path) }

  private func name(ofPlugin index: Int, _ session: SessionEngine) -> String {
    PluginLocator.name(of: session.plugins[index].name, besideFile: path)
  }

  private static func details(of plugins: ArraySlice<SessionEngine.Plugin>) -> [String: JSONValue] {
    var details: [String: JSONValue] = [:]
    for plugin in plugins {
      let manifest = plugin.connection.manifest
      var members: [String: JSONValue] = ["version": .string(manifest.version)]
      members["sha256"] = plugin.connection.digest.map(JSONValue.string)
      details[manifest.id] = .object(members)
    }
    return details
  }

  private func appendOptions(_ options: SessionEngine.Options, to bytes: inout [UInt8]) {
    TranscriptWriter.append(.seed(options.seed), to: &bytes)
    TranscriptWriter.append(.time(options.epoch), to: &bytes)
    TranscriptWriter.append(.locale(word(options.locale)), to: &bytes)
    TranscriptWriter.append(.timeZone(word(options.timeZone)), to: &bytes)
    for effect in options.recorded.sorted() {
      TranscriptWriter.append(.record(effect: effect), to: &bytes)
    }
  }

  private func appendPlugin(_ index: Int, _ session: SessionEngine, to bytes: inout [UInt8]) {
    position.latestPlugin = index
    TranscriptWriter.append(.plugin(secrets.redacted(name(ofPlugin: index, session))), to: &bytes)
  }

  private func append(
    _ read: RecordingStorage.Read, _ session: SessionEngine, to bytes: inout [UInt8]
  ) {
    let plugin = session.plugins.firstIndex { $0.connection.manifest.id == read.plugin }
    if let plugin, plugin != position.latestPlugin { appendPlugin(plugin, session, to: &bytes) }
    var value: JSONValue?
    if let bytes = read.value {
      // What isn't JSON no session has stored, and no line could hold it.
      guard let stored = try? JSONValue(parsing: bytes.span) else { return }
      value = secrets.redacted(stored)
    }
    TranscriptWriter.append(.store(key: secrets.redacted(read.key), value: value), to: &bytes)
  }

  private func append(
    _ record: EventBatch.Record, of events: borrowing EventBatch, _ session: SessionEngine,
    to bytes: inout [UInt8]
  ) {
    switch record.kind {
    case .output, .request, .cancel: break
    case .log, .fault, .opened, .closed, .input, .reply, .error, .refusal, .violation, .death,
      .print:
      return
    }
    let (handle, content) = (handle(of: record, session), events.bytes)
    guard secrets.isEmpty else {
      let value = json(content, record.value)
      return TranscriptWriter.append(record, events, handle, value: value.span, to: &bytes)
    }
    TranscriptWriter.append(
      record, events, handle, value: content.span.extracting(record.value), to: &bytes)
  }

  private func append(
    input: EventBatch.Record, of inputs: borrowing EventBatch, _ session: SessionEngine,
    to bytes: inout [UInt8]
  ) {
    let (handle, content) = (handle(of: input, session), inputs.bytes)
    let name = content.span.extracting(input.name)
    guard secrets.isEmpty else {
      return TranscriptWriter.appendInput(
        handle, name, json(content, input.value).span, to: &bytes)
    }
    TranscriptWriter.appendInput(handle, name, content.span.extracting(input.value), to: &bytes)
  }

  /// The handle of the event's instance; nil where lines leave it out.
  private func handle(of record: EventBatch.Record, _ session: SessionEngine) -> String? {
    guard session.names(record.instance) else { return nil }
    return secrets.redacted(session.handle(of: record))
  }

  // MARK: Redaction

  /// A range of `bytes`, which is canonical JSON, without secrets.
  private func json(_ bytes: [UInt8], _ range: Range<Int>) -> [UInt8] {
    secrets.redactedJSON(Array(bytes[range]))
  }

  /// Text for the rest of a line, without secrets and control characters.
  private func word(_ text: String) -> String { secrets.redacted(text).terminalSafeLine }

  private func redacted(_ command: ScriptCommand) -> ScriptCommand {
    guard !secrets.isEmpty else { return command }
    return switch command {
    case .open(let viewModel, let handle, let config):
      .open(
        viewModel: viewModel, handle: handle.map(secrets.redacted),
        config: config.map(secrets.redacted))
    case .close(let handle): .close(handle: secrets.redacted(handle))
    case .reply(let handle, let id, let value):
      .reply(handle: handle.map(secrets.redacted), id: id, value: secrets.redactedJSON(value))
    case .failure(let handle, let id, let code, let message):
      .failure(
        handle: handle.map(secrets.redacted), id: id, code: secrets.redacted(code),
        message: secrets.redacted(message))
    case .version, .plugin, .advance, .advanceUntilIdle, .seed, .time, .locale, .timeZone, .store,
      .record, .simulate, .flow, .recorded, .end, .skip, .tags, .frame, .control:
      command
    }
  }

  // MARK: The file

  /// - Throws: the first error in writing the file, if there was one.
  func check() throws(SessionError) {
    if let failure { throw lost(failure) }
  }

  /// Removes the last `+` line if nothing was emitted in it. The next one then includes its time.
  /// If the process ends right here, only a timer without an effect is lost.
  private func dropSilentWait(before time: Nanoseconds) throws(SessionError) {
    guard let wait = position.wait, wait.isSilent, time > position.time else { return }
    do throws(SystemError) {
      try file.truncate(to: wait.offset)
    } catch {
      failure = error
      throw lost(error)
    }
    position.size = wait.offset
    position.time = wait.beginning
    position.steps -= 1
    position.wait = nil
  }

  private func write(_ bytes: [UInt8]) throws(SessionError) {
    do throws(SystemError) {
      try Descriptor.write(file.number, bytes.span)
      position.size += bytes.count
    } catch {
      failure = error
      // Half a line is useless. If even this fails, a reader ignores it.
      try? file.truncate(to: position.size)
      throw lost(error)
    }
  }

  private func lost(_ error: SystemError) -> SessionError {
    SessionError(
      .recording,
      "could not write the recording \"\(path)\": \(error.reason). It ends before that.")
  }
}
