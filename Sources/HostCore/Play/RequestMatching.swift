/// Finds the requests that the replies of a transcript are for, though the plugin now makes them in
/// another order, later, or with other values.
///
/// A request matches by effect and value across the whole transcript. What is left matches by
/// effect and order, so that a request with a changed value keeps its reply, and then by value
/// alone: the effect may have another name.
package final class RequestMatching {
  /// What a request is, without its number.
  package struct Content: Hashable, Sendable {
    let handle: String
    let effect: String
    let value: [UInt8]
  }

  /// What to do with a reply.
  enum Route {
    /// It goes to the request that its line names.
    case asWritten
    /// It goes to another request.
    case to(Made)
    /// Its request isn't made yet, and may never be.
    case later
  }

  /// A request of the run.
  struct Made {
    let id: UInt64
    let content: Content
    /// The line of the step that made it.
    let step: Int
  }

  /// A request of the file, whose reply may still come.
  private struct Written {
    let content: Content
    /// The line of its step.
    let step: Int
    /// Its request in the run, as an index of `made`.
    var match: Int?
    /// Whether its reply has come.
    var isAnswered = false
  }

  private struct Key: Hashable {
    let handle: String
    let id: UInt64
  }

  /// All requests in the file. The handle is empty if the line has none.
  private let expected: Set<Content>
  /// How often an earlier run made each request.
  private let foreseen: [Content: Int]
  /// How often this run has made each request.
  package private(set) var counts: [Content: Int] = [:]
  private var made: [Made] = []
  /// The indices of the requests that no request of the file matches.
  private var free: [Int] = []
  /// Whether a request was made since `takeNews` was called.
  private var hasNews = false
  private var written: [Key: Written] = [:]
  /// Whether a reply isn't simply for the request that its line names.
  package private(set) var isNeeded = false

  /// - Parameters:
  ///   - source: the transcript.
  ///   - foreseen: the requests of an earlier run. They tell a request that comes later from one
  ///     that isn't made any more.
  package init(_ source: TranscriptSource, foreseen: [Content: Int]) {
    self.foreseen = foreseen
    var expected: Set<Content> = []
    // A file that can't be read any more has no requests: playing it reports that.
    if let reader = try? TranscriptReader(source) {
      while let line = try? reader.next() {
        guard case .expectation(let expectation) = line, expectation.kind == .request,
          let request = try? reader.withLine({ bytes in
            var one = ExpectedEvents()
            try one.append(expectation, bytes, at: reader.number...reader.number)
            return Self.content(of: 0, in: one, handle: one.text(one.lines[0].handle))
          })
        else { continue }
        expected.insert(request)
      }
    }
    self.expected = expected
  }

  private init(_ other: RequestMatching) { (expected, foreseen) = (other.expected, other.foreseen) }

  /// The same knowledge, for another run.
  package var again: RequestMatching { RequestMatching(self) }

  private static func content(
    of index: Int, in expected: ExpectedEvents, handle: String
  ) -> Content {
    let line = expected.lines[index]
    return Content(
      handle: handle, effect: expected.text(line.name), value: Array(expected.bytes[line.value]))
  }

  /// Takes note of the requests of a step, those in its lines and those that it made.
  func take(_ comparison: StepComparison) {
    let (step, expected, session) = (comparison.step, comparison.expected, comparison.session)
    let line = step.numbers.lowerBound
    let first = made.count
    for record in comparison.records where record.isOf(.request) {
      let events = comparison.events
      let content = Content(
        handle: session.handle(of: record), effect: events.name(of: record),
        value: session.redacted(Array(events.bytes[record.value])))
      counts[content, default: 0] += 1
      made.append(Made(id: record.id, content: content, step: line))
    }
    free += first..<made.count
    if made.count > first { hasNews = true }
    for index in step.expected where expected.lines[index].kind == .request {
      let handle = handle(of: index, in: expected, session)
      let content = Self.content(of: index, in: expected, handle: handle)
      let match = free.first { $0 >= first && made[$0].content == content }
      free.removeAll { $0 == match }
      let key = Key(handle: handle, id: expected.lines[index].id)
      written[key] = Written(content: content, step: line, match: match)
    }
  }

  /// Takes note of the requests in the lines of a reply that waits: they wait with it.
  func expect(_ step: TranscriptStep, _ expected: ExpectedEvents, _ session: SessionEngine) {
    for index in step.expected where expected.lines[index].kind == .request {
      let handle = handle(of: index, in: expected, session)
      written[Key(handle: handle, id: expected.lines[index].id)] = Written(
        content: Self.content(of: index, in: expected, handle: handle),
        step: step.numbers.lowerBound)
    }
  }

  private func handle(
    of index: Int, in expected: ExpectedEvents, _ session: SessionEngine
  ) -> String {
    let named = expected.text(expected.lines[index].handle)
    return named.isEmpty ? session.instances.first?.handle ?? "" : named
  }

  /// Finds the request that a reply is for.
  ///
  /// - Parameters:
  ///   - handle: the handle in its line; nil for the only instance.
  ///   - id: the number in its line.
  func route(_ handle: String?, _ id: UInt64, _ session: SessionEngine) -> Route {
    let key = key(handle, id, session)
    guard let request = written[key], !request.isAnswered else { return .asWritten }
    guard let match = match(of: key, session) else { return .later }
    written[key]?.isAnswered = true
    return made[match].id == id ? .asWritten : .to(made[match])
  }

  /// The index of the open request that the file's one is now; nil if there is none.
  private func match(of key: Key, _ session: SessionEngine) -> Int? {
    guard let request = written[key] else { return nil }
    if request.match == nil { isNeeded = true }
    guard let match = request.match ?? freeMatch(for: request.content, session),
      isOpen(made[match], session)
    else {
      isNeeded = true
      return nil
    }
    free.removeAll { $0 == match }
    written[key]?.match = match
    return match
  }

  /// Whether a reply that waits may have its request by now. Looking at thousands of them after
  /// each step would take long.
  func takeNews() -> Bool {
    defer { hasNews = false }
    return hasNews && !free.isEmpty
  }

  /// The line of the step that made the request of a reply that waits for it; nil if there is none
  /// yet.
  func ready(_ handle: String?, _ id: UInt64, _ session: SessionEngine) -> Int? {
    match(of: key(handle, id, session), session).map { made[$0].step }
  }

  /// The line of the step that should make the request with a number.
  func step(of handle: String?, _ id: UInt64, _ session: SessionEngine) -> Int? {
    written[key(handle, id, session)]?.step
  }

  private func key(_ handle: String?, _ id: UInt64, _ session: SessionEngine) -> Key {
    Key(handle: handle ?? session.instances.first?.handle ?? "", id: id)
  }

  private func freeMatch(for content: Content, _ session: SessionEngine) -> Int? {
    free.removeAll { !isOpen(made[$0], session) }
    let open = free.filter { made[$0].content.handle == content.handle }
    if let same = open.first(where: { made[$0].content == content }) { return same }
    let candidates = open.filter { made[$0].content.effect == content.effect }
    guard foreseen[content, default: 0] <= counts[content, default: 0] else { return nil }
    // A request that another line expects is for the reply to that one.
    let isNew = { [self] (index: Int) in
      let other = made[index].content
      return ["", other.handle].allSatisfy {
        !expected.contains(Content(handle: $0, effect: other.effect, value: other.value))
      }
    }
    return candidates.first(where: isNew)
      ?? open.first { made[$0].content.value == content.value && isNew($0) }
  }

  private func isOpen(_ request: Made, _ session: SessionEngine) -> Bool {
    session.instances.contains {
      $0.handle == request.content.handle && $0.shownRequests[request.id] != nil
    }
  }
}
