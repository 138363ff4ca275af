import HostCore
import TestSupport
import Testing

/// The options of `vmhost run`.
struct RunOptionTests {
  @Test func `opens view models by the command line, some with a config`() async throws {
    try await VMHostRun.expect(
      [
        "run", "kitfixture.so", "--view-model", "kit.random=a", "--view-model", "kit.random=b",
        "--view-model", "kit.works", "--config", "{\"sides\":3}",
      ] + Arguments.text,
      stdout: """
        < sides 3
        < b.sides 6
        < works.busy false

        """)
  }

  @Test func `reads a config from a file`() async throws {
    try await TemporaryDirectory.with { directory in
      try directory.write("{\"sides\": 2}\n", to: "c.json")
      try directory.write("{\"sides\": 2", to: "broken.json")
      try await VMHostRun.expect(
        Arguments.kit("random") + ["--config", "@c.json"], workingDirectory: directory.path,
        stdout: "< sides 2\n")
      try await VMHostRun.expect(
        Arguments.kit("random") + ["--config", "@broken.json"], workingDirectory: directory.path,
        stderr: """
          vmhost: broken.json: the config is not JSON: expected "," or "}", found the end of the \
          input (byte 11).

          """,
        status: 2)
      try await VMHostRun.expect(
        Arguments.kit("random") + ["--config", "@none.json"], workingDirectory: directory.path,
        stderr: "vmhost: could not read the config \"none.json\": No such file or directory.\n",
        status: 2)
    }
  }

  @Test(
    arguments: [
      (
        ["--config", "{\"sides\""],
        "--config: the config is not JSON: expected \":\" after a key, found the end of"
          + " the input (byte 8)."
      ),
      (["--config", "[]"], "--config: a config must be a JSON object."),
      (
        ["--config", "{}", "--config", "{}"],
        "there are 2 --config for 1 view model. Name each view model with --view-model."
      ),
      (
        ["--config", "{\"sorce\":\"tmdb\"}"],
        "movies.list would not open: The config has no member \"sorce\". Did you mean \"source\"?"
      ),
      (
        ["--view-model", "movies.lst"],
        "there is no view model \"movies.lst\". Did you mean \"movies.list\"?"
      ),
      (
        ["--view-model", "nonsense"],
        "there is no view model \"nonsense\". There are: \"movies.list\", \"movies.details\","
          + " \"movies.suggestions\"."
      ),
      (
        ["--view-model", "movies.list", "--view-model", "movies.list"],
        "--view-model: the handle \"list\" appears twice. Give the second one another, as in"
          + " \"--view-model movies.list=list2\"."
      ),
      (
        ["--view-model", "movies.list=a", "--view-model", "movies.details=a"],
        "--view-model: the handle \"a\" appears twice. Give the second one another, as in"
          + " \"--view-model movies.details=a2\"."
      ),
      (
        ["--view-model", "movies.list=1"],
        "\"1\" can't be a handle: use letters, digits, _ and -, beginning with a letter or _."
      ),
      (["--seed", "-1"], "--seed: \"-1\" is not a whole number from 0 to 18446744073709551615."),
      (["--time", "noon"], "--time: \"noon\" is not a time such as 2026-01-31T12:00:00Z."),
      (
        ["--step-timeout", "0s"],
        "--step-timeout: \"0s\" is not a time such as 300ms, 5s or 2m, above 0."
      ),
      (
        ["--step-timeout", "25h"],
        "--step-timeout: \"25h\" is too long: the longest time is 24h."
      ),
      (
        ["--step-timeout", "9999999h"],
        "--step-timeout: \"9999999h\" is too long: the longest time is 24h."
      ),
      (["--effect", "http"], "--effect: \"http\" is not NAME=COMMAND or NAME=none."),
      (["--locale", "english"], "\"english\" is not a locale such as en_US or zh-Hant-TW."),
      (["--locale", ""], "\"\" is not a locale such as en_US or zh-Hant-TW."),
      (
        ["--time-zone", "../zoneinfo/UTC"],
        "\"../zoneinfo/UTC\" is not a time zone such as UTC or Europe/Vienna."
      ),
      (
        ["--secret", "tmdb"],
        "--secret: \"tmdb\" is not NAME=VARIABLE or PLUGIN:NAME=VARIABLE."
      ),
      (
        ["--secret", ":tmdb=HOME"],
        "--secret: \":tmdb=HOME\" is not NAME=VARIABLE or PLUGIN:NAME=VARIABLE."
      ),
      (
        ["--secret", "movies:=HOME"],
        "--secret: \"movies:=HOME\" is not NAME=VARIABLE or PLUGIN:NAME=VARIABLE."
      ),
      (
        ["--secret", "tmdb=NOT_SET"],
        "--secret tmdb: the environment variable NOT_SET is not set, or empty."
      ),
      (
        ["--secret", "tmdb=\u{301}X"],
        "--secret tmdb: the environment variable \u{301}X is not set, or empty."
      ),
      (
        ["--secret", "=HOME"],
        "--secret: \"=HOME\" is not NAME=VARIABLE or PLUGIN:NAME=VARIABLE."
      ),
      (["--effect", "geo="], "--effect: \"geo=\" is not NAME=COMMAND or NAME=none."),
      (
        ["--view-model", "movies.list=\u{301}x"],
        "\"\u{301}x\" can't be a handle: use letters, digits, _ and -, beginning with a letter"
          + " or _."
      ),
      (
        ["--config", "{\"apiKey\":\"$secret:tmbd\",\"source\":\"tmdb\"}"],
        "the config names the secret \"tmbd\", which is not given. Put it into a variable of the "
          + "environment and add --secret tmbd=VARIABLE."
      ),
    ])
  func `refuses`(_ options: [String], message: String) async throws {
    try await VMHostRun.expect(
      ["run", "movies.so", "--format", "text", "--clock", "virtual"] + options,
      stderr: "vmhost: \(message)\n", status: 2)
  }

  @Test(arguments: [[], ["--plugin-path"]])
  func `looks for plugins where it is told`(_ option: [String]) async throws {
    let echo = try BuildProducts.library("echo")
    try await TemporaryDirectory.with { directory in
      try #require(
        try await ChildProcess.run("/bin/cp", [echo, directory.file("mine.so")]).status == .success)
      try await VMHostRun.expect(
        ["run", "mine.so"] + Arguments.text + option + (option.isEmpty ? [] : [directory.path]),
        .text("> say 1\n"),
        environment: option.isEmpty ? ["VMHOST_PLUGIN_PATH": "/nowhere:\(directory.path)"] : [:],
        stdout: "< said 1\n")
    }
  }

  @Test func `says where it looked for a plugin`() async throws {
    let folder = try BuildProducts.directory
    try await VMHostRun.expect(
      ["run", "nope.so", "--plugin-path", "/a"] + Arguments.text,
      environment: ["VMHOST_PLUGIN_PATH": "/b:/c"],
      stderr: """
        vmhost: Could not load "nope.so": not found. Looked for ./nope.so, ./libnope.so, \
        /a/nope.so, /a/libnope.so, /b/nope.so, /b/libnope.so, /c/nope.so, /c/libnope.so, \
        \(folder)/nope.so, \(folder)/libnope.so. "swift build" builds the plugins of a package; \
        "swift run vmhost" alone doesn't.

        """,
      status: 3)
  }

  @Test func `tells plugins the locale, the time zone and the time`() async throws {
    try await VMHostRun.expect(
      Arguments.kit("random") + [
        "--locale", "es_ES", "--time-zone", "Europe/Vienna", "--time", "2026-01-31T13:00:00+01:00",
      ],
      .text("+ 1500ms\n> where\n"),
      stdout: """
        < sides 6
        < place {"epoch":1769860800000000000,"locale":"es_ES","now":1500,"timeZone":"Europe/Vienna"}

        """)
  }

  /// What this machine knows of time zones is a folder, as the C library has it.
  @Test func `takes the time zones that the machine has`() async throws {
    try await TemporaryDirectory.with { directory in
      try directory.write("TZif2", to: "Europe/Vienna")
      let zones = ["TZDIR": directory.path]
      try await VMHostRun.expect(
        Arguments.echo + ["--time-zone", "Europe/Vienna"], environment: zones)
      try await VMHostRun.expect(
        Arguments.echo + ["--time-zone", "Europe/Vienn", "--record", directory.file("r.vmt")],
        environment: zones,
        stderr: """
          vmhost: there is no time zone "Europe/Vienn" on this machine. Did you mean \
          "Europe/Vienna"?

          """, status: 2)
      #expect(throws: SystemError.self) { try Files.kind(of: directory.file("r.vmt")) }
      // A recording from elsewhere is a script, too.
      let recorded = try directory.write(
        """
        vmt 1
        @timezone Mars/Base
        @plugin echo.so
        @open echo
        > say 1
        < said 1

        """, to: "mars.vmt")
      try await VMHostRun.expect(
        ["replay", recorded, "--format", "text"], environment: zones,
        stdout: "@open echo\n> say 1\n< said 1\n")
      try await VMHostRun.expect(
        ["run", "--script", recorded, "--format", "text"], environment: zones,
        stdout: "< said 1\n")
      try await VMHostRun.expect(
        Arguments.echo + ["--time-zone", "Mars/Base"],
        environment: ["TZDIR": directory.file("nothing")])
    }
  }
}
