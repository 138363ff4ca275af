import TestSupport
import Testing

/// Recordings of inputs that a plugin in a process of its own gets together.
struct BatchRecordingTests {
  private static func line(_ instance: String, _ name: String, _ value: String?, _ seq: Int)
    -> String
  {
    let value = value.map { ",\"value\":\($0)" } ?? ""
    return "{\"kind\":\"input\",\"instance\":\"\(instance)\",\"name\":\"\(name)\",\"seq\":\(seq)"
      + "\(value)}\n"
  }

  private static func opening(_ viewModel: String, _ instance: String, _ config: String = "{}")
    -> String
  {
    "{\"kind\":\"open\",\"viewModel\":\"\(viewModel)\",\"instance\":\"\(instance)\","
      + "\"config\":\(config)}\n"
  }

  /// Inputs that ask for something, that read and change the store, that lead to nothing, and that
  /// are refused, by the host and by the plugin.
  private static let mixed: [(instance: String, name: String, value: String?)] = [
    ("a", "ping", nil), ("b", "storageSet", "{\"key\":\"k\",\"value\":[1,\"größe\"]}"),
    ("a", "storageGet", "\"k\""), ("a", "storageGet", "5"), ("b", "ping", nil),
    ("b", "locate", "{\"city\":\"Graz\"}"), ("a", "storageGet", "\"other\""),
  ]
  private static let refusing: [(instance: String, name: String, value: String?)] = [
    ("good", "order", "{\"id\":1}"), ("good", "order", "{\"id\":2}"), ("bad", "go", nil),
    ("bad", "go", nil), ("good", "order", "{\"id\":3}"),
  ]

  private static func session(
    _ openings: [String], _ inputs: [(instance: String, name: String, value: String?)], rounds: Int
  ) -> String {
    let all = (0..<rounds).flatMap { _ in inputs }
    return openings.joined()
      + all.enumerated().map { line($1.instance, $1.name, $1.value, $0 + 1) }.joined()
  }

  private static let sessions = [
    "kitfixture.so": session(
      [opening("kit.effects", "a"), opening("kit.effects", "b")], mixed, rounds: 40),
    "brokenfixture.so": session(
      [
        opening("broken", "good", "{\"fault\":\"\",\"key\":null}"),
        opening("broken", "bad", "{\"fault\":\"send-value-words\",\"key\":null}"),
      ], refusing, rounds: 40),
  ]

  @Test(arguments: ["kitfixture.so", "brokenfixture.so"])
  func `inputs that are delivered together are recorded as if each came alone`(
    _ plugin: String
  ) async throws {
    try await TemporaryDirectory.with { directory in
      let input = ChildProcess.Input.text(try #require(Self.sessions[plugin]))
      let arguments = ["run", plugin] + Arguments.jsonl
      let together = try await Recording.of(arguments, input, in: directory, as: "together.vmt")
      let alone = try await Recording.of(
        arguments + ["--in-process"], input, in: directory, as: "alone.vmt")
      #expect(together.output.status == .success, "\(together.output.stderr)")
      #expect(together.body == alone.body)
      #expect(together.body.contains("\n> "))
      try await expectPass("together.vmt", in: directory)
    }
  }

  @Test func `the input at which a plugin breaks down is the last one`() async throws {
    try await TemporaryDirectory.with { directory in
      let good = String(repeating: "> good.order {\"id\":1}\n", count: 5)
      let recording = try await Recording.of(
        ["run"] + Recording.settled,
        .text(
          "@plugin brokenfixture.so\n@open broken as good {\"fault\":\"\",\"key\":null}\n"
            + "@open broken as bad {\"fault\":\"crash-in-send\",\"key\":null}\n"
            + good + "> bad.order {\"id\":1}\n" + good), in: directory)
      #expect(recording.output.status == .exited(6))
      let steps = String(repeating: "> good.order {\"id\":1}\n< good.rang\n", count: 5)
      let expected = "\n" + steps + "> bad.order {\"id\":1}\n"
      #expect(recording.text.hasSuffix(expected), "\(recording.text)")
    }
  }

  @Test func `values of a megabyte are recorded too, each with what it leads to`() async throws {
    try await TemporaryDirectory.with { directory in
      let lines = (0..<12).map { "> say \"\($0) \(String(repeating: "x", count: 1 << 20))\"\n" }
      let recording = try await Recording.of(
        Arguments.echo + Recording.settled.suffix(4), .text(lines.joined()), in: directory)
      let expected = lines.map { $0 + $0.replacing("> say", with: "< said") }.joined() + "@end\n"
      let isWhole = recording.text.hasSuffix("\n" + expected)
      #expect(isWhole)
    }
  }
}
