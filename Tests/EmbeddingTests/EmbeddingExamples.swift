import HostCore

// The examples of Documentation/Embedding.md, so that a compiler reads them.

struct Place: Codable {
  var city: String
}

func sessionOnAMap() async throws -> Session {
  let locate = EffectAnswer.handler { request in
    let wanted = try request.decode(as: Place.self)
    guard wanted.city != "Atlantis" else {
      throw EffectFailure(code: "not-found", message: "It has sunk.")
    }
    return Place(city: wanted.city.uppercased())
  }
  return try await Host().session(
    plugins: ["kitfixture.so"],
    options: SessionOptions(clock: .virtual, effects: ["geo.locate": locate]))
}

func ticks(in span: Duration) async throws -> Int {
  let session = try await Host().session(
    plugins: ["kitfixture.so"], options: SessionOptions(clock: .virtual, seed: 1))
  let ticker = try await session.open("kit.ticker")
  let outputs = ticker.outputs()
  try await ticker.send("start")
  try await session.advance(by: span)
  await session.close()
  return try await outputs.reduce(0) { count, _ in count + 1 }
}

func screens(following flow: String) async throws -> [String] {
  let session = try await Host().session(
    plugins: ["movies.so"], flow: flow, options: SessionOptions(clock: .virtual))
  let changes = session.changes()
  let reading = Task {
    var screens: [String] = []
    for try await change in changes {
      switch change {
      // Here an app makes a screen, which reads the outputs and shows the instance's frame.
      case .opened(let instance, outputs: _): screens.append(instance.handle)
      case .closed(let handle): screens.removeAll { $0 == handle }
      }
    }
    return screens
  }
  let list = try await session.openStart()[0]
  try await list.send("didSearch", "jaws")
  try await session.idle()
  try await list.send("didSelectItem", 0)
  await session.close()
  return try await reading.value
}

func search(_ query: String, in list: Instance) async -> String {
  do throws(HostError) {
    try await list.send("didSearch", query)
    return list.frame["items"] ?? ""
  } catch {
    return switch error.code {
    case .refused: "the plugin can't use this: \(error)"
    case .brokenPlugin: "this session is over, start another: \(error)"
    default: "\(error)"
    }
  }
}
