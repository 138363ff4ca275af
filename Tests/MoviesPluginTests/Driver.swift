import CanonicalJSON
import PluginABI

/// Drives one instance through the plugin's table, as a host would, and answers by hand.
///
/// Each call gives what the step emitted, a line an event: `< items []`, `? http GET https://…`,
/// `? timer 200ms`, `x http`. Storage is answered within the step, in request order, and not shown;
/// `trace` has all of it. Log lines go to `warnings`.
///
/// Safe to hold: the table lives for ever, and the instance as long as the driver.
@safe final class Driver {
  /// Which of the open requests of an effect: the oldest is 0.
  private struct OpenRequest {
    let id: UInt64
    let effect: String
    let value: JSONValue
  }

  let storage: StorageDouble
  /// While true, storage requests wait, as the others do.
  var holdsStorage = false
  private(set) var trace: [String] = []
  private(set) var warnings: [String] = []
  private(set) var firstFrame: [String] = []
  private var open: [OpenRequest] = []
  private let table: UnsafePointer<vm_plugin>
  private let instance: OpaquePointer

  init(
    _ viewModel: String, config: JSONValue = [:], locale: String = "en_US",
    storage: StorageDouble = StorageDouble()
  ) throws {
    let table = unsafe try MoviesLibrary.table()
    self.storage = storage
    unsafe self.table = unsafe table
    unsafe self.instance = try Driver.create(
      table, viewModel, config: config.canonicalText, locale: locale)
    firstFrame = try pump()
  }

  deinit {
    unsafe table.pointee.destroy(instance)
  }

  /// The effects that wait for an answer.
  var pending: [String] { open.map(\.effect) }

  /// Sends an input and runs the plugin to idle.
  func send(_ input: String, _ value: JSONValue? = nil) throws -> [String] {
    try deliver(VM_INPUT, id: 0, name: input, json: value?.canonicalText ?? "")
    return try pump()
  }

  /// Answers the oldest open request of that effect, or a later one.
  func reply(to effect: String = "http", at index: Int = 0, _ json: String) throws -> [String] {
    let request = try take(effect, at: index)
    try deliver(VM_REPLY, id: request.id, name: request.effect, json: json)
    return try pump()
  }

  /// Lets the oldest open request of that effect fail.
  func fail(_ effect: String = "http", code: String) throws -> [String] {
    let request = try take(effect, at: 0)
    let error: JSONValue = ["code": .string(code), "message": "It went wrong."]
    try deliver(VM_ERROR, id: request.id, name: request.effect, json: error.canonicalText)
    return try pump()
  }

  /// Lets the time of the oldest timer come.
  func fireTimer() throws -> [String] {
    try reply(to: "timer", "")
  }

  // MARK: The table

  private static func create(
    _ table: UnsafePointer<vm_plugin>, _ viewModel: String, config: String, locale: String
  ) throws -> OpaquePointer {
    try unsafe viewModel.withBytes { viewModel in
      try unsafe config.withBytes { config in
        try unsafe locale.withBytes { locale in
          try unsafe "UTC".withBytes { timeZone in
            var info = unsafe vm_create_info(
              size: UInt32(MemoryLayout<vm_create_info>.size), reserved: 0,
              view_model: viewModel, config: config, locale: locale, time_zone: timeZone, seed: 1,
              epoch_ns: 0, time_ns: 0)
            var instance: OpaquePointer?
            var error = unsafe vm_bytes()
            let status = unsafe table.pointee.create(&info, &instance, &error)
            guard status == VM_OK, let instance = unsafe instance else {
              throw DriverError("\(status): \(unsafe String(error))")
            }
            return unsafe instance
          }
        }
      }
    }
  }

  private func deliver(_ kind: Int, id: UInt64, name: String, json: String) throws {
    try unsafe name.withBytes { name in
      try unsafe json.withBytes { json in
        var event = unsafe vm_event(
          size: UInt32(MemoryLayout<vm_event>.size), kind: UInt32(kind), id: id, time_ns: 0,
          name: name, json: json)
        var error = unsafe vm_bytes()
        let status = unsafe table.pointee.send(instance, &event, &error)
        guard status == VM_OK else { throw DriverError("\(status): \(unsafe String(error))") }
      }
    }
  }

  private func pump() throws -> [String] {
    var lines: [String] = []
    while true {
      while let line = try poll() { lines.append(line) }
      guard !holdsStorage, let index = open.firstIndex(where: { $0.effect.hasPrefix("storage") })
      else { return lines }
      let request = open.remove(at: index)
      if let json = try storage.answer(request.effect, request.value) {
        try deliver(VM_REPLY, id: request.id, name: request.effect, json: json)
      } else {
        let error: JSONValue = ["code": "storage-failed", "message": "It went wrong."]
        try deliver(VM_ERROR, id: request.id, name: request.effect, json: error.canonicalText)
      }
    }
  }

  /// Returns the line of the next event that is shown, or nil when the plugin is idle.
  private func poll() throws -> String? {
    while true {
      var event = unsafe vm_event()
      unsafe event.size = UInt32(MemoryLayout<vm_event>.size)
      let status = unsafe table.pointee.poll(instance, &event)
      if status == VM_IDLE || status == VM_IDLE_OTHERS { return nil }
      guard status == VM_OK else { throw DriverError("poll: \(status)") }
      let kind = Int(unsafe event.kind)
      let name = unsafe String(event.name)
      let json = unsafe String(event.json)
      if let line = try note(kind, unsafe event.id, name, json) { return line }
    }
  }

  // MARK: Events

  private func note(_ kind: Int, _ id: UInt64, _ name: String, _ json: String) throws -> String? {
    switch kind {
    case VM_OUTPUT:
      return shown(json.isEmpty ? "< \(name)" : "< \(name) \(json)")
    case VM_REQUEST:
      let value = try JSONValue(parsing: Array(json.utf8).span)
      open.append(OpenRequest(id: id, effect: name, value: value))
      return shown("? \(name) \(Self.summary(of: name, value))")
    case VM_CANCEL:
      guard let index = open.firstIndex(where: { $0.id == id }) else {
        throw DriverError("The plugin cancelled a request that isn't open: \(id) \(name)")
      }
      open.remove(at: index)
      return shown("x \(name)")
    case VM_LOG:
      warnings.append("\(name) \(json)")
      return nil
    default:
      return shown("fault \(name) \(json)")
    }
  }

  private func shown(_ line: String) -> String? {
    trace.append(line)
    return line.contains(" storage.") ? nil : line
  }

  private static func summary(of effect: String, _ value: JSONValue) -> String {
    switch effect {
    case "http": "\(value["method"]?.stringValue ?? "?") \(value["url"]?.stringValue ?? "?")"
    case "timer": value["after"]?.stringValue ?? "?"
    default: value["key"]?.stringValue ?? "?"
    }
  }

  private func take(_ effect: String, at place: Int) throws -> OpenRequest {
    let indices = open.indices.filter { open[$0].effect == effect }
    guard indices.indices.contains(place) else {
      throw DriverError("No \(effect) request \(place) is open, only \(pending).")
    }
    return open.remove(at: indices[place])
  }
}
