import Foundation
import TestSupport
import Testing

/// How sessions end that don't end well, and with which status.
struct EndingTests {
  @Test func `ends with 1 after a step of the plugin's own code failed`() async throws {
    try await VMHostRun.expect(
      Arguments.kit("faults"), .text("> throwNow\n> fine\n> throwLater\n+ idle\n"),
      stdout: """
        # error from faults: "\\"throwNow\\" failed: thrown now"
        # fault of faults in "throwNow": "thrown now"
        < ok
        # error from faults: "\\"throwLater\\" failed: thrown later"
        # fault of faults in "throwLater": "thrown later"

        """,
      status: 1)
  }

  @Test func `shows logs and faults as JSON Lines`() async throws {
    try await VMHostRun.expect(
      ["run", "kitfixture.so", "--view-model", "kit.faults"] + Arguments.jsonl,
      .text("> log \"x\"\n> throwLater\n+ idle\n"),
      stdout: try FirstFrame.session + """
        [\(VMHostRun.plugin("kitfixture"))]}
        {"kind":"log","t":0,"instance":"faults","level":"debug","message":"x"}
        {"kind":"log","t":0,"instance":"faults","level":"info","message":"x"}
        {"kind":"log","t":0,"instance":"faults","level":"warning","message":"x"}
        {"kind":"log","t":0,"instance":"faults","level":"error","message":"x"}
        {"kind":"log","t":1,"instance":"faults","level":"error",\
        "message":"\\"throwLater\\" failed: thrown later"}
        {"kind":"fault","t":1,"instance":"faults","input":"throwLater","message":"thrown later"}
        {"kind":"end","t":1,"status":1}

        """,
      status: 1)
  }

  /// Copies `echo.so` and changes one of its bytes.
  private static func echo(
    in directory: TemporaryDirectory, changing offset: Int, to byte: UInt8
  ) throws -> String {
    var bytes = try Data(contentsOf: URL(fileURLWithPath: BuildProducts.library("echo")))
    bytes[offset] = byte
    let path = directory.file("changed.so")
    try bytes.write(to: URL(fileURLWithPath: path))
    return path
  }

  @Test(
    arguments: [
      (18, 183, "it was built for aarch64, this host runs on x86_64. Rebuild it for x86_64."),
      (4, 1, "it was built for 32-bit x86_64, this host runs on x86_64. Rebuild it for x86_64."),
      (0, 0, "it is not a shared library: it has no ELF header."),
    ] as [(Int, UInt8, String)])
  func `ends with 3 for a library of another kind`(
    _ offset: Int, byte: UInt8, message: String
  ) async throws {
    #if arch(x86_64)
      try await TemporaryDirectory.with { directory in
        let path = try Self.echo(in: directory, changing: offset, to: byte)
        try await VMHostRun.expect(
          ["run", path] + Arguments.text,
          stderr: "vmhost: Could not load \"\(path)\": \(message)\n",
          status: 3)
      }
    #endif
  }

  @Test(
    arguments: [
      ("./nope.so", "there is no such file."),
      ("/", "it is not a file."),
      ("/etc/passwd", "it is not a shared library: it has no ELF header."),
      ("/dev/null", "it is not a file."),
    ])
  func `ends with 3 for what is no library`(_ path: String, message: String) async throws {
    try await VMHostRun.expect(
      ["run", path] + Arguments.text, stderr: "vmhost: Could not load \"\(path)\": \(message)\n",
      status: 3)
    try await VMHostRun.expect(
      ["describe", path], stderr: "vmhost: Could not load \"\(path)\": \(message)\n", status: 3)
  }

  @Test func `ends with 3 for a library that is no plugin`() async throws {
    let library = "/lib/x86_64-linux-gnu/libm.so.6"
    guard FileManager.default.fileExists(atPath: library) else { return }
    try await VMHostRun.expect(
      ["run", library] + Arguments.text,
      stderr: """
        vmhost: Could not load "\(library)": it has no "vm_plugin_entry_v1", so it is not a plugin \
        of this ABI. Export that function (vm_plugin.h says how).

        """,
      status: 3)
  }

  @Test(
    arguments: [
      ("unknown-output", "it emitted \"sang\", which isn't in its manifest."),
      ("value-missing", "it emitted \"said\" without a value."),
      (
        "bad-json", "the value of its \"said\" is not JSON: expected a value, found \"}\" (byte 5)."
      ),
      (
        "request-unannounced",
        "it asked for \"teleport\", which isn't among the requests in its manifest."
      ),
    ])
  func `ends with 6 when a plugin breaks its contract`(
    _ fault: String, message: String
  ) async throws {
    let output = try await VMHostRun.output(
      Arguments.broken(fault), .text("> emit \"16 0 said 1\"\n> go\n> go\n"))
    #expect(output.stdout.hasSuffix("\n< second 2\n< said 1\n"))
    #expect(
      output.stderr
        == "vmhost: <stdin>:2: brokenfixture.so broke its contract at the input \"go\": broken"
        + " (broken): \(message)\n")
    #expect(output.status == .exited(6))
  }

  @Test(
    arguments: [
      ("spin-in-poll", "the input \"go\" of broken"),
      ("spin-in-create", "the opening of broken"),
    ])
  func `ends with 6 when a plugin in process hangs, with all that came before it`(
    _ fault: String, what: String
  ) async throws {
    let output = try await VMHostRun.output(
      Arguments.broken(fault) + ["--in-process", "--step-timeout", "100ms"],
      .text("> emit \"16 0 said 1\"\n+ 1s\n> go\n> go\n"))
    #expect(
      output.stdout.hasSuffix("< second 2\n< said 1\n") == (fault != "spin-in-create"))
    #expect(
      output.stderr == """
        vmhost: the plugin "broken" hangs: it did not return from \(what) within 100ms. The \
        session is over.

        """)
    #expect(output.status == .exited(6))
  }

  @Test(arguments: ["@close broken\n", ""])
  func `ends with 6 when a plugin in process hangs as its instance ends`(_ input: String)
    async throws
  {
    let output = try await VMHostRun.output(
      Arguments.broken("spin-in-destroy") + ["--in-process", "--step-timeout", "100ms"],
      .text(input))
    #expect(
      output.stderr == """
        vmhost: the plugin "broken" hangs: it did not return from the closing of broken within \
        100ms. The session is over.

        """)
    #expect(output.status == .exited(6))
  }

  /// It takes the 30 seconds that a plugin may take to load.
  @Test func `ends with 6 when a plugin in process never finishes loading`() async throws {
    try await VMHostRun.expect(
      ["describe", "hangingfixture.so", "--in-process"],
      stderr: """
        vmhost: the plugin "hangingfixture.so" hangs: it did not return from its loading within \
        30s.

        """, status: 6)
  }
}
