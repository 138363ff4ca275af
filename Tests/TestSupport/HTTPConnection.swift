import Glibc

/// One connection of a `LoopbackServer`: reads requests, records them, and does what the handler
/// says.
struct HTTPConnection {
  private let socket: Descriptor
  private let shared: Monitor<LoopbackServer.Shared>
  private let stopSignal: Gate
  private var buffer: [UInt8] = []

  init(_ socket: Descriptor, shared: Monitor<LoopbackServer.Shared>, stopSignal: Gate) {
    self.socket = socket
    self.shared = shared
    self.stopSignal = stopSignal
  }

  mutating func serve(_ handler: LoopbackServer.Handler) {
    // Closing alone would not end the connection if a child that was started in the instant between
    // `accept` and `FD_CLOEXEC` holds it too.
    defer { _ = shutdown(socket.number, Int32(SHUT_RDWR)) }
    while let head = readHead(), let body = readBody(head) {
      let target = head.target.split(
        separator: "?", maxSplits: 1, omittingEmptySubsequences: false
      ).map(String.init)
      let request = shared.withLock { shared in
        let request = HTTPRequest(
          index: shared.requests.count, method: head.method, path: target[0],
          query: target.count > 1 ? target[1] : nil, headers: head.headers, body: body)
        shared.requests.append(request)
        return request
      }
      let response = handler(request)
      if let gate = response.gate, !wait(for: gate) { return }
      guard send(response, to: request) else { return }
    }
  }

  /// True when the connection stays open for the next request.
  private func send(_ response: HTTPResponse, to request: HTTPRequest) -> Bool {
    let body = request.method == "HEAD" ? [] : response.body
    switch response.behaviour {
    case .answer:
      let bodiless = response.status == 204 || response.status == 304
      let framing = bodiless ? "X-Bodiless: yes" : "Content-Length: \(response.body.count)"
      return socket.sendAll(response.head(framing: framing) + (bodiless ? [] : body))
    case .close:
      return false
    case .stall:
      let framing = "Content-Length: \(response.body.count + 1)"
      _ = socket.sendAll(response.head(framing: framing) + body) && wait(for: nil)
      return false
    case .truncate(let missing):
      let framing = "Content-Length: \(response.body.count + missing)"
      _ = socket.sendAll(response.head(framing: framing) + body)
      return false
    case .raw(let bytes):
      _ = socket.sendAll(bytes)
      return false
    case .stream(let total):
      return stream(total, response)
    }
  }

  private func stream(_ total: Int, _ response: HTTPResponse) -> Bool {
    var going = socket.sendAll(response.head(framing: "Transfer-Encoding: chunked"))
    var left = total
    while going && left > 0 {
      let size = min(left, 65_536)
      let chunk = Array("\(String(size, radix: 16))\r\n".utf8)
      let ready = pollDescriptors([(socket, POLLOUT), (stopSignal.descriptor, POLLIN)])
      if ready[1] != 0 { return false }
      going = socket.sendAll(
        chunk + [UInt8](repeating: UInt8(ascii: "x"), count: size) + [0x0d, 0x0a])
      left -= size
    }
    going = going && socket.sendAll(Array("0\r\n\r\n".utf8))
    if !going { shared.withLock { $0.hangUps += 1 } }
    return going
  }

  /// Waits for the gate (nil: for ever); false when the client hangs up or the server stops first.
  private func wait(for gate: Gate?) -> Bool {
    let ready = pollDescriptors([
      (gate?.descriptor, POLLIN), (socket, peerHasHungUp), (stopSignal.descriptor, POLLIN),
    ])
    if ready[0] != 0 { return true }
    if ready[1] != 0 { shared.withLock { $0.hangUps += 1 } }
    return false
  }

  private struct Head {
    var method = ""
    var target = ""
    var headers: [(name: String, value: String)] = []

    func value(_ name: String) -> String? {
      headers.first { $0.name.lowercased() == name }?.value
    }
  }

  /// Reads once more; false at the end of the stream and when the server stops.
  private mutating func fill() -> Bool {
    let ready = pollDescriptors([(socket, POLLIN), (stopSignal.descriptor, POLLIN)])
    guard ready[1] == 0, let bytes = socket.read(atMost: 65_536), !bytes.isEmpty else {
      return false
    }
    buffer += bytes
    return true
  }

  /// The next line without its end; nil at the end of the stream.
  private mutating func readLine() -> String? {
    var searched = 0
    while true {
      if let end = buffer[searched...].firstIndex(of: 0x0a) {
        let line = buffer[..<end]
        defer { buffer.removeSubrange(...end) }
        return String(decoding: line.last == 0x0d ? line.dropLast() : line, as: UTF8.self)
      }
      searched = buffer.count
      if !fill() { return nil }
    }
  }

  private mutating func readBytes(_ count: Int) -> [UInt8]? {
    while buffer.count < count {
      if !fill() { return nil }
    }
    defer { buffer.removeSubrange(..<count) }
    return Array(buffer[..<count])
  }

  private mutating func readHead() -> Head? {
    guard let line = readLine() else { return nil }
    let words = line.split(separator: " ").map(String.init)
    guard words.count == 3 else { return nil }
    var head = Head(method: words[0], target: words[1])
    while let line = readLine() {
      if line.isEmpty { return head }
      let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2 else { return nil }
      let value = parts[1].drop { $0 == " " || $0 == "\t" }
      head.headers.append((String(parts[0]), String(value)))
    }
    return nil
  }

  private mutating func readBody(_ head: Head) -> [UInt8]? {
    if head.value("expect")?.lowercased() == "100-continue" {
      guard socket.sendAll(Array("HTTP/1.1 100 Continue\r\n\r\n".utf8)) else { return nil }
    }
    guard head.value("transfer-encoding")?.lowercased() == "chunked" else {
      return readBytes(head.value("content-length").flatMap { Int($0) } ?? 0)
    }
    var body: [UInt8] = []
    while let line = readLine(), let size = Int(line, radix: 16), let chunk = readBytes(size) {
      guard readLine() == "" else { return nil }
      if size == 0 { return body }
      body += chunk
    }
    return nil
  }
}

/// `POLLRDHUP`, which Swift's import of the C library leaves out.
private let peerHasHungUp: Int32 = 0x2000
