import Basics
import CanonicalJSON

/// The lines of a transcript that no plugin could make right, found from what the file itself says
/// about its instances and requests.
///
/// A reply to a request that no line expects is one, as is an input to an instance that no line
/// opens. With a flow, plugins open instances, and only requests can be checked.
struct ImpossibleLines {
  private(set) var lines: Set<Int> = []
  private let hasFlow: Bool
  /// The open instances, by handle, in the order of their opening.
  private var instances: [String] = []
  /// The handle of the instance that the current step closes.
  private var closed: String?
  /// The requests that the file expects and doesn't answer or cancel, by handle.
  private var requests: [String: Set<UInt64>] = [:]

  /// Reads a transcript. A file that can't be read has no such lines: it could be read before.
  init(_ source: TranscriptSource, hasFlow: Bool) {
    self.hasFlow = hasFlow
    guard let reader = try? TranscriptReader(source) else { return }
    while let line = try? reader.next() {
      let number = reader.number
      reader.withLine { take(line, $0, number) }
    }
  }

  private mutating func take(_ line: ScriptLine, _ bytes: Span<UInt8>, _ number: Int) {
    let isPossible: Bool
    switch line {
    case .nothing: return
    case .rewritten(let other):
      guard let parsed = try? ScriptLine.parse(other.span) else { return }
      return take(parsed, other.span, number)
    case .input(let input):
      closed = nil
      isPossible = handle(String(repairing: bytes.extracting(input.handle))) != nil
    case .expectation(let expectation):
      isPossible = expects(expectation, String(repairing: bytes.extracting(expectation.handle)))
    case .command(let command):
      if command.role == .step { closed = nil }
      isPossible = take(command)
    }
    if !isPossible { lines.insert(number) }
  }

  private mutating func take(_ command: ScriptCommand) -> Bool {
    switch command {
    case .open(let viewModel, let handle, let config):
      let handle = handle ?? ViewModelManifest.defaultHandle(of: viewModel)
      if let config, config.objectValue == nil { return false }
      guard !instances.contains(handle) else { return hasFlow }
      instances.append(handle)
      requests[handle] = nil
      return true
    case .close(let handle):
      guard let index = instances.firstIndex(of: handle) else { return hasFlow }
      instances.remove(at: index)
      closed = handle
      return true
    case .reply(let handle, let id, _), .failure(let handle, let id, _, _):
      return answers(handle ?? "", id)
    case .frame(let handle): return self.handle(handle ?? "") != nil
    case .version, .plugin, .advance, .advanceUntilIdle, .seed, .time, .locale, .timeZone, .store,
      .record, .simulate, .flow, .recorded, .end, .skip, .tags, .control:
      return true
    }
  }

  /// The handle of the instance that a line is for; nil if the file has no such instance.
  ///
  /// - Parameter name: the handle in the line; empty for the only instance.
  private func handle(_ name: String) -> String? {
    if hasFlow { return name }
    if name.isEmpty { return instances.count == 1 ? instances[0] : nil }
    return instances.contains(name) ? name : nil
  }

  private mutating func expects(
    _ expectation: ScriptLine.ExpectationLine, _ name: String
  ) -> Bool {
    let closing = closed.flatMap { name == $0 || name.isEmpty && instances.isEmpty ? $0 : nil }
    guard let handle = handle(name) ?? closing else { return false }
    switch expectation.kind {
    case .output: break
    case .request: requests[handle, default: []].insert(expectation.id)
    case .cancel: requests[handle]?.remove(expectation.id)
    }
    return true
  }

  private mutating func answers(_ name: String, _ id: UInt64) -> Bool {
    // With a flow, a line without a handle may be for any instance.
    let handles = hasFlow && name.isEmpty ? Array(requests.keys) : [handle(name) ?? ""]
    for handle in handles.sorted() where requests[handle]?.remove(id) != nil { return true }
    return false
  }
}
