import TestSupport
import Testing

/// What `--limit` takes.
struct LimitOptionTests {
  private static let numbers = "a whole number, from 1 to 10000000"
  private static let sizes = "a size such as 500K or 64M, from 1 to"

  @Test(
    arguments: [
      ("bytes", "\"bytes\" is not NAME=VALUE, as in bytes=64M."),
      ("", "\"\" is not NAME=VALUE, as in bytes=64M."),
      ("byte=1", "there is no limit \"byte\". Did you mean \"bytes\"?"),
      (
        "nonsense=1",
        "there is no limit \"nonsense\". There are events, bytes, requests, open-requests, timers,"
          + " storage."
      ),
      ("=1", nil),
    ], [["run", "echo.so"], ["replay", "a.vmt"], ["test", "a.vmt"]])
  func `refuses what names no limit`(
    _ row: (text: String, message: String?), _ command: [String]
  ) async throws {
    let output = try await VMHostRun.output(command + ["--limit", row.text])
    if let message = row.message { #expect(output.stderr == "vmhost: --limit: \(message)\n") }
    #expect(output.stdout == "")
    #expect(output.status == .exited(2))
  }

  @Test(
    arguments: [
      ("events", "0", numbers), ("timers", "-1", numbers), ("requests", "+1", numbers),
      ("open-requests", "1K", numbers), ("events", "", numbers), ("events", "10000001", numbers),
      ("events", "99999999999999999999", numbers), ("bytes", "0", "\(sizes) 1G"),
      ("bytes", "", "\(sizes) 1G"), ("bytes", "\u{301}", "\(sizes) 1G"),
      ("bytes", "1025M", "\(sizes) 1G"),
      ("bytes", "99999999999G", "\(sizes) 1G"), ("bytes", "64MB", "\(sizes) 1G"),
      ("storage", "-5M", "\(sizes) 1T"), ("storage", "1.5G", "\(sizes) 1T"),
    ])
  func `refuses a value that is no limit`(
    _ name: String, _ value: String, _ form: String
  ) async throws {
    try await VMHostRun.expect(
      ["run", "echo.so", "--limit", "\(name)=\(value)"],
      stderr: "vmhost: --limit \(name): \"\(value)\" is not \(form).\n", status: 2)
  }

  @Test func `takes each limit, and the last of a name`() async throws {
    let limits = [
      "events=10000000", "bytes=1G", "requests=1", "open-requests=1", "timers=1", "storage=1T",
      "events=1", "events=2",
    ]
    try await VMHostRun.expect(
      Arguments.echo + limits.flatMap { ["--limit", $0] }, .text("> say 1\n"),
      stdout: "< said 1\n")
  }
}
