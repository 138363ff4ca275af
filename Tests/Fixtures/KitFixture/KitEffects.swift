import ViewModelKit

struct KitCity: Codable, Sendable {
  var city: String
}

struct KitPair: Codable, Sendable {
  var key: String
  var value: JSONValue
}

struct KitFailure: Codable, Sendable {
  var code: String
  var message: String
}

final class KitEffects: ViewModel {
  static let id = "kit.effects"

  let get = Input<String>()
  let post = Input<KitCity>()
  let storageGet = Input<String>()
  let storageSet = Input<KitPair>()
  let storageDelete = Input<String>()
  let storageList = Input<String>()
  /// Reads again and again.
  let storageSpin = Input<NoValue>()
  let locate = Input<KitCity>()
  let ping = Input<NoValue>()

  let result = Signal<String>()
  let failed = Signal<KitFailure>()

  let http = HTTP()
  let storage = Storage()
  let geo = Effect<KitCity, KitCity>("geo.locate")
  let pinger = Effect<NoValue, NoValue>("ping")
  let work = Work(.queued)

  func start(_ context: Context<NoConfig>) {
    get.start(work) { url in
      try await self.report { self.text(try await self.http.get(url)) }
    }
    post.start(work) { city in
      let request = HTTPRequest(
        method: "POST", url: "https://example.org/cities", body: .json(city),
        timeout: .seconds(5))
      try await self.report { self.text(try await self.http.send(request)) }
    }
    storageGet.start(work) { key in
      try await self.report {
        try await self.storage.get(key, as: JSONValue.self)?.canonicalText ?? "nothing"
      }
    }
    storageSet.start(work) { pair in
      try await self.report {
        try await self.storage.set(pair.key, pair.value)
        return "set"
      }
    }
    storageDelete.start(work) { key in
      try await self.report {
        try await self.storage.delete(key)
        return "deleted"
      }
    }
    storageList.start(work) { prefix in
      try await self.report { try await self.storage.list(prefix: prefix).joined(separator: ",") }
    }
    storageSpin.start(work) {
      while true { _ = try await self.storage.get("key", as: JSONValue.self) }
    }
    locate.start(work) { city in
      try await self.report { try await self.geo.send(city).city }
    }
    ping.start(work) {
      try await self.report {
        try await self.pinger.send()
        return "pong"
      }
    }
  }

  private func report(_ call: () async throws -> String) async throws {
    do {
      result.emit(try await call())
    } catch let error as EffectError {
      failed.emit(KitFailure(code: error.code, message: error.message))
    }
  }

  private func text(_ response: HTTPResponse) -> String {
    switch response.body {
    case .json(let json): "\(response.status) json \(String(decoding: json, as: UTF8.self))"
    case .text(let text): "\(response.status) text \(text)"
    case .bytes(let bytes): "\(response.status) bytes \(bytes)"
    }
  }
}
