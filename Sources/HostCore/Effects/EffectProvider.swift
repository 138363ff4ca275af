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

    var commandLine: (executable: String, arguments: [String]) {
      switch self {
      case .shell(let text): ("/bin/sh", ["-c", text])
      case .executable(let path): (path, [])
      }
    }
  }

  /// The maximum length of a line. A longer one ends the provider: no reply is that large.
  private static let maxLineBytes = 1 << 28
  /// The maximum number of unusable lines. The process is no provider if it sends more.
  private static let maxMistakes = 20
  /// The time that a provider has to exit once its standard in has ended.
  private static let grace: Nanoseconds = 1_000_000_000

  package let effect: String
  private let command: Command
  private var process: ProcessHandle?
  private var outgoing: [UInt8] = []
  private var written = 0
  private var incoming: [UInt8] = []
  private var scanned = 0
  private var open: Set<UInt64> = []
  /// The number of unusable lines so far.
  private var mistakes = 0
  /// The messages that `receive` returns without reading from the process.
  private var pending: [Message] = []

  package init(effect: String, command: Command) {
    self.effect = effect
    self.command = command
  }

  /// Whether `receive` has messages to return, whether or not the process has sent anything.
  package var hasPendingMessages: Bool { !pending.isEmpty }

  /// The descriptors to wait for before the next `receive`; empty if the process doesn't run.
  package var interests: [Descriptor.Interest] {
    guard let process else { return [] }
    let reading = Descriptor.Interest(process.output)
    guard written < outgoing.count else { return [reading] }
    return [reading, Descriptor.Interest(process.input, reading: false, writing: true)]
  }

  /// Sends a request and starts the process if it doesn't run. `receive` returns the answer, and
  /// also a failure to start.
  ///
  /// - Parameter value: JSON, or empty for none.
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
    let (executable, arguments) = command.commandLine
    do throws(SystemError) {
      process = try ProcessHandle(executable: executable, arguments: arguments)
      return true
    } catch {
      pending += end("\"\(executable)\" could not be started: \(error.reason)")
      return false
    }
  }

  /// Tells the provider that a request no longer needs an answer. Does nothing if it isn't open.
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
      // The process has ended. `receive` will find the end of its output and fail all requests.
    }
    outgoing.removeAll(keepingCapacity: outgoing.capacity < 1 << 20)
    written = 0
  }

  /// Returns the messages that the provider has sent so far, without waiting.
  ///
  /// If the provider breaks off or misbehaves, its process is ended and all open requests fail.
  package func receive() -> [Message] {
    var messages = pending
    pending = []
    guard let process else { return messages }
    process.reapOrphans()
    write()
    do {
      // One read per call: a provider that never stops writing must not block the session.
      guard let count = try Descriptor.read(process.output, limit: 1 << 16, into: &incoming) else {
        return messages
      }
      takeLines(into: &messages)
      if count == 0 { return messages + end("it ended (\(finish()))") }
      if incoming.count > Self.maxLineBytes {
        return messages + end("it sent a line of more than \(Self.maxLineBytes) bytes")
      }
      if mistakes >= Self.maxMistakes {
        return messages + end("it sent \(Self.maxMistakes) invalid lines")
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
    guard mistakes < Self.maxMistakes else { return }
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
      messages.append(complaint("it sent a line of an unknown kind"))
    }
  }

  private static func identifier(_ value: JSONValue) -> UInt64? { UInt64(value.canonicalText) }

  private func complaint(_ text: String) -> Message {
    .log(level: "warning", text: text)
  }

  /// Ends a provider that is of no use any more. All open requests fail, and a later request starts
  /// a new process.
  private func end(_ why: String) -> [Message] {
    finish()
    let waiting = open.sorted()
    open = []
    // The next process must not get the rest of a line that this one got the beginning of.
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

  /// Ends the process: first by closing its standard in, later by force.
  ///
  /// - Returns: how it ended, in words.
  @discardableResult
  package func finish() -> String {
    defer { process = nil }
    return process?.finish(within: Self.grace) ?? "was not running"
  }
}
