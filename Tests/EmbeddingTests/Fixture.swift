import HostCore
import Synchronization

/// Sessions over built plugins, each in a confined process of its own.
enum Fixture {
  /// - Parameter library: such as `echo`.
  static func session(
    _ library: String..., options: SessionOptions = SessionOptions(clock: .virtual)
  ) async throws -> Session {
    try await Host().session(plugins: library.map { "\($0).so" }, options: options)
  }

  /// An instance that breaks its contract in the way that `fault` names.
  static func broken(
    _ fault: String = "", in session: Session, as handle: String? = nil
  ) async throws -> Instance {
    try await session.open(
      "broken", as: handle, config: ["fault": .string(fault), "key": .null])
  }
}

extension Instance {
  /// Makes `broken` emit an event, written as "KIND ID NAME JSON".
  func emit(_ line: String) async throws { try await send("emit", line) }
}

/// What is left of some outputs, up to their end.
func lines(of outputs: Instance.Outputs) async throws -> [String] {
  var lines: [String] = []
  for try await output in outputs { lines.append("\(output)") }
  return lines
}

/// What an error says, with its code.
func words(_ body: () async throws -> Void) async -> String {
  do {
    try await body()
    return "it worked"
  } catch let error as HostError {
    return "\(error.code): \(error)"
  } catch { return "another error: \(error)" }
}

/// Gathers what comes on any thread.
final class Gathered<Element: Sendable>: Sendable {
  private let elements = Mutex<[Element]>([])

  func add(_ element: Element) { elements.withLock { $0.append(element) } }

  var all: [Element] { elements.withLock { $0 } }
}
