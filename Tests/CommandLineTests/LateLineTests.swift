import TestSupport
import Testing

/// A visit of a front end that is always a little behind: what it names has just gone.
struct LateLineTests {
  private static let results = """
    {"page":1,"total_pages":1,"results":[{"id":1,"title":"One","poster_path":"/1.jpg"},\
    {"id":2,"title":"Two","poster_path":"/2.jpg"}]}
    """

  /// The lines, without a number, and what becomes of each: a frame, or the answer to it.
  private static let visit: [(line: String, outcome: String)] = [
    (#""instance":"list","name":"didSearch","value":"a""#, "done"),
    (
      #""kind":"reply","instance":"list","id":1,"value":{"status":200,"body":\#(results)}"#, "done"
    ),
    (#""instance":"list","name":"didSelectItem","value":0"#, "done"),
    (#""instance":"details","name":"updatePosterImage","value":200"#, "done"),
    // Another film is opened in its place before its poster comes.
    (#""instance":"list","name":"didSelectItem","value":1"#, "done"),
    (#""instance":"details","name":"updatePosterImage","value":200"#, "done"),
    (
      #""kind":"reply","instance":"details","id":1,"value":{"status":200,"base64":"MQ=="}"#,
      "unknown-request"
    ),
    (
      #""kind":"frame","instance":"details""#,
      "{isPosterImageHidden:false,overview:,posterImage:null,title:Two}"
    ),
    (
      #""kind":"reply","instance":"details","id":2,"value":{"status":200,"base64":"Mg=="}"#, "done"
    ),
    (
      #""kind":"frame","instance":"details""#,
      "{isPosterImageHidden:false,overview:,posterImage:{base64:Mg==},title:Two}"
    ),
    // A query is tapped twice, and the first tap closes the list of them.
    (#""instance":"list","name":"showQueriesSuggestions""#, "done"),
    (#""instance":"suggestions","name":"viewWillAppear""#, "done"),
    (#""instance":"suggestions","name":"didSelect","value":{"query":"a"}"#, "done"),
    (#""instance":"suggestions","name":"didSelect","value":{"query":"a"}"#, "closed"),
    (#""kind":"frame","instance":"suggestions""#, "closed"),
    // The search is given up, and then answered.
    (#""instance":"list","name":"didCancelSearch""#, "done"),
    (
      #""kind":"reply","instance":"list","id":2,"value":{"status":200,"body":\#(results)}"#,
      "unknown-request"
    ),
    (#""instance":"list","name":"didSearch","value":"b""#, "done"),
    (#""kind":"error","instance":"list","id":2,"code":"offline""#, "unknown-request"),
    (#""kind":"error","instance":"list","id":3,"code":"offline""#, "done"),
  ]

  @Test(arguments: [true, false], ["live", "virtual"])
  func `a session goes on whatever comes late, and shows what is so`(
    hasNumbers: Bool, clock: String
  ) async throws {
    let lines = Self.visit.enumerated().map { index, step in
      "{\(step.line)\(hasNumbers ? ",\"seq\":\(index)" : "")}\n"
    }
    let output = try await VMHostRun.output(
      [
        "run", "movies.so", "--flow", "Examples/flows/movies.json", "--clock", clock,
        "--config", #"{"source":"tmdb","apiKey":"k"}"#, "--effect", "http=none",
      ], .text(lines.joined()), workingDirectory: Repository.root())
    #expect(output.stderr == "")
    #expect(output.status == .success)
    let summary = try AnswerTests.summary(output.stdout)
    let told = summary.filter { line in
      ["done", "refused", "frame", "log"].contains { line.hasPrefix("\($0) ") }
    }
    var expected: [String] = []
    for (index, step) in Self.visit.enumerated() {
      let isFrame = step.line.contains("\"frame\"") && step.outcome != "closed"
      if isFrame { expected.append("frame \(hasNumbers ? "\(index)" : "") \(step.outcome)") }
      if hasNumbers {
        let isDone = isFrame || step.outcome == "done"
        expected.append(isDone ? "done \(index)" : "refused \(index) \(step.outcome)")
      } else if !isFrame && step.outcome != "done" {
        expected.append("log \(index + 1)")
      }
    }
    #expect(told.count == expected.count)
    for (told, expected) in zip(told, expected) {
      // The number of the step follows, or the words of the log.
      let isBeginning = expected.hasPrefix("done") || expected.hasPrefix("log")
      #expect(isBeginning ? told.hasPrefix(expected) : told == expected)
    }
  }
}
