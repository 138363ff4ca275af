import CanonicalJSON
import Foundation
import Synchronization

/// A message to the host: one line.
enum ProviderMessage {
  /// The value is canonical JSON.
  case reply(UInt64, [UInt8])
  case error(UInt64, ProviderError)
  case log(String, String)

  /// The line, with its line feed.
  var line: [UInt8] {
    var line: [UInt8] = []
    switch self {
    case .reply(let id, let value):
      line += Array("{\"kind\":\"reply\",\"id\":\(id),\"value\":".utf8)
      line += value
    case .error(let id, let error):
      line += Array("{\"kind\":\"error\",\"id\":\(id),\"code\":\"\(error.code.rawValue)\"".utf8)
      line += Array(",\"message\":".utf8)
      CanonicalJSON.appendString(error.message, to: &line)
    case .log(let level, let message):
      line += Array("{\"kind\":\"log\",\"level\":\"\(level)\",\"message\":".utf8)
      CanonicalJSON.appendString(message, to: &line)
    }
    line += Array("}\n".utf8)
    return line
  }

  /// The id that a line made by `line` answers; nil for a log.
  static func answeredID(in line: [UInt8]) -> UInt64? {
    let fields = String(decoding: line.prefix(60), as: UTF8.self).split(separator: ",")
    guard fields.count > 1, fields[1].hasPrefix("\"id\":") else { return nil }
    return UInt64(fields[1].dropFirst(5).prefix { $0.isNumber })
  }
}

/// Writes whole lines to standard output, from any thread.
final class MessageOutput: Sendable {
  private let lock = Mutex(())

  func send(_ message: ProviderMessage) {
    send(line: message.line)
  }

  func send(line: [UInt8]) {
    lock.withLock { _ in
      do {
        try FileHandle.standardOutput.write(contentsOf: Data(line))
      } catch {
        // The host is gone, so nobody can be told.
        _exit(1)
      }
    }
  }
}
