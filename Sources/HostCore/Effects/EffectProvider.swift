import Basics
import CanonicalJSON

/// A process that answers requests of one effect, over JSON Lines on its standard in and out.
///
/// `Documentation/EffectProviders.md` has the protocol. The process starts with the first request.
package final class EffectProvider {
  package enum Message: Equatable {
    case reply(id: UInt64, value: [UInt8])
    case failure(id: UInt64, code: String, message: String)
    case log(level: String, text: String)
  }

  /// How the process is started: an executable and its arguments.
  package enum Command: Equatable, Sendable {
    case shell(String)
    case executable(String)

    var words: (executable: String, arguments: [String]) {
      switch self {
      case .shell(let text): ("/bin/sh", ["-c", text])
      case .executable(let path): (path, [])
      }
    }
  }

  /// A line longer than this ends the provider: no reply is that large.
  private static let maxLine = 1 << 28
  /// So many lines that say nothing end the provider: it is no provider.
  private static let mistakeLimit = 20
  /// How long a provider may take to end once its standard in has ended.
  private static let grace: Nanoseconds = 1_000_000_000

  package let effect: String
  private let command: Command
  private var process: ProcessHandle?
  private var outgoing: [UInt8] = []
  private var written = 0
  private var incoming: [UInt8] = []
  private var scanned = 0
  private var open: Set<UInt64> = []
  /// Lines so far that said nothing.
  private var mistakes = 0
  /// What `receive` has to say without the process.
  private var news: [Message] = []

  package init(effect: String, command: Command) {
    self.effect = effect
    self.command = command
  }

  /// Whether `receive` has something to say before the process is ready.
  package var hasNews: Bool { !news.isEmpty }

  /// What to wait for on its behalf.
  package var interests: [Descriptor.Interest] {
    guard let process else { return [] }
    let reading = Descriptor.Interest(process.output)
    guard written < outgoing.count else { return [reading] }
    return [reading, Descriptor.Interest(process.input, reading: false, writing: true)]
  }

  /// Sends a request; what comes of it shows in `receive`.
  package func send(id: UInt64, value: Span<UInt8>) {
    open.insert(id)
    guard startIfNeeded() else { return }
    outgoing.append(contentsOf: Array("{\"kind\":\"request\",\"id\":\(id),\"effect\":".utf8))
    CanonicalJSON.appendString(effect, to: &outgoing)
    if !value.isEmpty {
      outgoing.append(contentsOf: Array(",\"value\":".utf8))
      outgoing.append(value)
    }
    outgoing.append(contentsOf: Array("}\n".utf8))
    write()
  }

  private func startIfNeeded() -> Bool {
    guard process == nil else { return true }
    let words = command.words
    do throws(SystemError) {
      process = try ProcessHandle(executable: words.executable, arguments: words.arguments)
      return true
    } catch {
      news += end("\"\(words.executable)\" could not be started: \(error.reason)")
      return false
    }
  }

  /// Tells the provider that nobody waits for an answer any more.
  package func cancel(id: UInt64) {
    guard open.remove(id) != nil else { return }
    outgoing.append(contentsOf: Array("{\"kind\":\"cancel\",\"id\":\(id)}\n".utf8))
    write()
  }

  private func write() {
    guard let process else { return }
    do {
      while written < outgoing.count {
        let bytes = outgoing
        let rest = bytes.span.extracting(written..<bytes.count)
        guard let count = try Descriptor.writeSome(process.input, rest) else { return }
        written += count
      }
    } catch {
      // It has gone; its end of file, which `receive` finds, says so to whoever waits.
    }
    outgoing.removeAll(keepingCapacity: outgoing.capacity < 1 << 20)
    written = 0
  }

  /// Takes what the provider has said so far, without waiting.
  package func receive() -> [Message] {
    var messages = news
    news = []
    guard let process else { return messages }
    write()
    do {
      // One read a call: a provider that never stops writing must not keep the session from going
      // on.
      guard let count = try Descriptor.read(process.output, limit: 1 << 16, into: &incoming) else {
        return messages
      }
      takeLines(into: &messages)
      if count == 0 { return messages + end("it ended (\(finish()))") }
      if incoming.count > Self.maxLine {
        return messages + end("it sent a line of more than \(Self.maxLine) bytes")
      }
      if mistakes >= Self.mistakeLimit {
        return messages + end("it sent \(Self.mistakeLimit) lines that are none of a provider")
      }
    } catch {
      return messages + end(error.description)
    }
    return messages
  }

  private func takeLines(into messages: inout [Message]) {
    var start = 0
    while let newline = incoming.span.firstIndex(of: 0x0a, from: max(start, scanned)) {
      if newline > start {
        let bytes = incoming
        take(bytes.span.extracting(start..<newline), into: &messages)
      }
      start = newline + 1
    }
    incoming.removeSubrange(..<start)
    scanned = incoming.count
  }

  private func take(_ line: Span<UInt8>, into messages: inout [Message]) {
    guard mistakes < Self.mistakeLimit else { return }
    guard let message = try? JSONValue(parsing: line) else {
      mistakes += 1
      return messages.append(complaint("it sent a line that isn't JSON"))
    }
    let id = message["id"].flatMap(Self.identifier)
    switch message["kind"]?.stringValue {
    case "reply":
      guard let id, open.remove(id) != nil else { return }
      var value: [UInt8] = []
      message["value"]?.append(to: &value)
      messages.append(.reply(id: id, value: value))
    case "error":
      guard let id, open.remove(id) != nil else { return }
      messages.append(
        .failure(
          id: id, code: message["code"]?.stringValue ?? "failed",
          message: message["message"]?.stringValue ?? ""))
    case "log":
      let level = message["level"]?.stringValue ?? "info"
      messages.append(.log(level: level, text: message["message"]?.stringValue ?? ""))
    default:
      mistakes += 1
      messages.append(complaint("it sent a line of no kind that is known"))
    }
  }

  private static func identifier(_ value: JSONValue) -> UInt64? { UInt64(value.canonicalText) }

  private func complaint(_ text: String) -> Message {
    .log(level: "warning", text: text)
  }

  /// The provider is of no use any more: all that waits for it fails. A later request starts anew.
  private func end(_ why: String) -> [Message] {
    finish()
    let waiting = open.sorted()
    open = []
    // The next process must not get the rest of a line of which this one had the beginning.
    outgoing = []
    written = 0
    incoming = []
    scanned = 0
    mistakes = 0
    return (waiting.isEmpty ? [] : [complaint(why)])
      + waiting.map {
        .failure(id: $0, code: "failed", message: "the provider of \"\(effect)\" failed: \(why)")
      }
  }

  /// Ends the process, gently at first.
  @discardableResult
  package func finish() -> String {
    defer { process = nil }
    return process?.finish(within: Self.grace) ?? "was not running"
  }
}
