import TestSupport
import Testing

/// Secrets in what plugins print, and in lines and messages that are too long to be shown whole.
struct PrintedSecretTests {
  private static let name = "printingfixture.so"
  private static let key = "t0ken-of-24-characters-x"

  private static func run(
    _ lines: String, key: String = key, _ more: [String] = Arguments.text
  ) async throws -> ChildProcess.Output {
    try await VMHostRun.output(
      ["run", name, "--secret", "k=KEY"] + more, .text(lines), environment: ["KEY": key])
  }

  /// Inputs that print so many bytes and no line break.
  private static func parts(_ bytes: Int) -> String {
    let whole = String(
      repeating: "> part \"\(String(repeating: "p", count: 200))\"\n", count: bytes / 200)
    return whole + "> part \"\(String(repeating: "p", count: bytes % 200))\"\n"
  }

  @Test(arguments: [1, 10, 23])
  func `a secret where a long line is split is hidden`(_ before: Int) async throws {
    let count = 16_384 - before
    for format in ["text", "jsonl"] {
      let output = try await Self.run(
        Self.parts(count) + "> puts \"\(Self.key) end\"\n",
        ["--format", format, "--clock", "virtual"])
      #expect(output.status == .success)
      #expect(!output.stdout.contains("ppt0k") && !output.stdout.contains("acters"))
      // The split is where the text is too long that is shown.
      let line = String(repeating: "p", count: count) + "SECRET_k end"
      #expect(output.stdout.contains(line.prefix(16_384)))
    }
  }

  @Test func `a secret where a long line is split is hidden in the message about the end`()
    async throws
  {
    let output = try await Self.run(Self.parts(16_374) + "> crash \"\(Self.key)\"\n")
    #expect(output.status == .exited(6))
    #expect(output.stderr.contains("crashed") && output.stderr.contains("Its last log lines"))
    #expect(!(output.stdout + output.stderr).contains("t0k"))
    #expect(!(output.stdout + output.stderr).contains("acters"))
  }

  @Test(arguments: ["\n", "\r\n"])
  func `each line of a secret with several is hidden`(_ lineBreak: String) async throws {
    let lines = ["-----BEGIN KEY-----", "MIIEvQIBADANBgkqhkiG9w0B", "AQEF", "-----END KEY-----"]
    let inputs = lines.map { "> puts \"\($0)\"\n" }.joined()
    let output = try await Self.run(inputs, key: lines.joined(separator: lineBreak) + lineBreak)
    #expect(output.status == .success)
    let hidden = "# \(Self.name) printed: SECRET_k\n< did \"SECRET_k\"\n"
    #expect(output.stdout.contains(String(repeating: hidden, count: 4)))
    for line in lines { #expect(!output.stdout.contains(line), "\(line)") }
  }

  @Test func `no message shows the beginning of a secret that is longer than what it quotes`()
    async throws
  {
    let key = String((0..<300).map { "abcdefghijklmnopqrstuvwxyz0123456789"[$0 % 36] })
    for (line, message) in [
      (key, ":1:1: no line begins with such a long word. An input is"),
      (">\(key)", ":1:2: expected a space between \">\" and what follows."),
      ("> nothing \"\(String(repeating: "x", count: 60))\(key)\"", ":1:3: printing has no"),
    ] {
      let output = try await Self.run(line + "\n", key: key)
      #expect(output.status == .exited(2))
      #expect(output.stderr.contains("<stdin>\(message)"), "\(output.stderr)")
      #expect(output.stderr.contains("SECRET_k"), "\(output.stderr)")
      #expect(!output.stderr.contains("abcdef"), "\(output.stderr)")
    }
  }
}

extension String {
  fileprivate subscript(offset: Int) -> Character { self[index(startIndex, offsetBy: offset)] }
}
