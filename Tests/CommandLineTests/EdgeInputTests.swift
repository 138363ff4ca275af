import TestSupport
import Testing

/// Input at the edges of what makes sense: each gets one clear answer.
@Suite struct EdgeInputTests {
  @Test func `refuses a secret that is too short to be hidden`() async throws {
    try await VMHostRun.expect(
      Arguments.echo + ["--secret", "pin=VMHOST_TEST_PIN"], environment: ["VMHOST_TEST_PIN": "123"],
      stderr: """
        vmhost: --secret pin: the value of VMHOST_TEST_PIN has fewer than 4 bytes. Whatever is \
        printed would be full of SECRET_pin.

        """,
      status: 2)
  }

  @Test func `says that a config has no use where the script opens its own`() async throws {
    try await TemporaryDirectory.with { folder in
      let script = try folder.write("@open echo\n", to: "own.vmt")
      try await VMHostRun.expect(
        Arguments.echo + ["--config", "{}", "--script", script],
        stderr: """
          vmhost: --config is for an instance that the command line opens, but "\(script)" opens \
          its own. Write the config behind its @open, or name the view model with --view-model.

          """,
        status: 2)
    }
  }

  @Test func `names a byte order mark`() async throws {
    let output = try await VMHostRun.output(Arguments.echo, .text("\u{FEFF}> say 1\n"))
    #expect(
      output.stderr.hasPrefix(
        "vmhost: <stdin>:1:1: this begins with a byte order mark. Save it as UTF-8 without one.\n"))
    #expect(output.status == .exited(2))
  }

  @Test func `reads members whose names are written with escapes`() async throws {
    try await VMHostRun.expect(
      Arguments.echo, .text(#"{"v\u0061lue":[1],"n\u0061me":"s\u0061y"}"#),
      stdout: "< said [1]\n")
  }

  @Test func `ends a plugin whose timers leave no time to pass`() async throws {
    let output = try await VMHostRun.output(
      Arguments.kit("ticker"), .text("> spin\n+ 1s\n"))
    #expect(output.stdout.hasPrefix("< ticked 1\n< ticked 2\n"))
    #expect(
      output.stderr
        == "vmhost: <stdin>:2: kitfixture.so broke its contract at the reply to \"timer\": ticker"
        + " (kit.ticker): it asks again and again for a timer that ends at once, so time can't"
        + " pass.\n")
    #expect(output.status == .exited(6))
  }
}
