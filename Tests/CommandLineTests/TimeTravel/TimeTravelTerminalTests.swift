import TestSupport
import Testing

/// The history of a session at the prompt.
struct TimeTravelTerminalTests {
  private static func start(
    _ folder: TestFolder, _ arguments: [String]
  ) throws -> PseudoTerminal {
    let terminal = try PseudoTerminal(columns: 100, rows: 90)
    try terminal.start(
      "/bin/sh",
      ["-c", "cd \"$0\" && exec \"$@\"", folder.path]
        + [BuildProducts.executable("vmhost"), "run"] + arguments,
      environment: ["PATH": "/usr/bin:/bin", "TERM": "xterm-256color", "NO_COLOR": "1"])
    try terminal.wait(for: "the prompt") { $0.lines.last == ">" }
    return terminal
  }

  /// Types a line and waits until the prompt is there again behind a line that fits.
  private static func type(
    _ text: String, on terminal: PseudoTerminal, until fits: @escaping (String) -> Bool
  ) throws {
    try terminal.write("\(text)\r")
    try terminal.wait(for: "what \(text) leads to") { screen in
      guard let typed = screen.lines.lastIndex(of: "> \(text)") else { return false }
      return screen.lines.last == ">" && screen.lines[typed...].contains(where: fits)
    }
  }

  private static func end(_ terminal: PseudoTerminal) throws {
    try terminal.write(Keys.control("D"))
    #expect(try terminal.waitForExit() == .status(0))
    #expect(terminal.screen.unknownSequences == [])
  }

  /// The lines behind the one that was typed last.
  private static func answer(_ text: String, _ terminal: PseudoTerminal) -> [String] {
    let lines = terminal.screen.lines
    return Array(lines[((lines.lastIndex(of: "> \(text)") ?? 0) + 1)...].dropLast())
  }

  @Test func `an edit, its difference, a step back, another input, and a transcript of that`()
    async throws
  {
    try await TestFolder.with { folder in
      try await ShopPlugin.compile("OUTPUT_OTHER", into: folder.path)
      let terminal = try Self.start(
        folder, ["shop.so", "--watch", "--effect", "http=none", "--clock", "virtual"])
      try Self.type("search \"tea\"", on: terminal) { $0.hasPrefix("? 1 http") }
      try Self.type("! 1 [\"green\"]", on: terminal) { $0 == "< total \"1 items\"" }
      try Self.type("select \"green\"", on: terminal) { $0.hasPrefix("? 2 http") }
      // The edit.
      try await ShopPlugin.compile("", into: folder.path)
      try terminal.wait(for: "the reload") { $0.lines.contains("#   total 1") }
      let typed = "select \"green\""
      #expect(
        Self.answer(typed, terminal).drop { !$0.hasPrefix("# reloaded") } == [
          "# reloaded shop: 2 of 4 steps differ", "# - before   + now", "# step 1: @open shop",
          "#     < items []", "#   - < total \"0 items\"", "#   + < total 0",
          "# step 3: ! 1 [\"green\"]", "#     < items [\"green\"]", "#   - < total \"1 items\"",
          "#   + < total 1", "#   total 1",
        ])
      try Self.type(":steps", on: terminal) { $0.contains("select") }
      #expect(
        Self.answer(":steps", terminal) == [
          "  1  0s  @open shop", "  2  0s  > search \"tea\"", "  3  0s  ! 1 [\"green\"]",
          "→ 4  0s  > select \"green\"",
        ])
      try Self.type(":back", on: terminal) { $0 == "# at step 3 of 4, 0s" }
      #expect(Self.answer(":back", terminal) == ["x 2", "# at step 3 of 4, 0s"])
      try Self.type(":back 2", on: terminal) { $0 == "#   total 0" }
      try Self.type("search \"ale\"", on: terminal) { $0.hasPrefix("? 3 http") }
      try Self.type("! 3 [\"stout\"]", on: terminal) { $0 == "< total 1" }
      try Self.type(":steps 2", on: terminal) { $0.contains("ale") }
      #expect(
        Self.answer(":steps 2", terminal) == [
          "  2  0s  > search \"ale\"", "→ 3  0s  ! 3 [\"stout\"]",
        ])
      try Self.type(":save ale.vmt", on: terminal) { $0 == "saved 3 steps to ale.vmt" }
      try Self.type(":save ale.vmt", on: terminal) { $0.contains("exists") }
      #expect(
        Self.answer(":save ale.vmt", terminal) == [
          "could not save to \"ale.vmt\": it exists already. Remove it first, or choose another"
            + " name."
        ])
      try Self.end(terminal)
      let saved = try folder.text("ale.vmt").split(separator: "\n").drop { $0 != "@plugin shop.so" }
      #expect(
        saved.joined(separator: "\n") == """
          @plugin shop.so
          @open shop
          < items []
          < total 0
          > search "ale"
          ? 1 http {"url":"/search?q=ale"}
          ! 1 ["stout"]
          < items ["stout"]
          < total 1
          @end
          """)
      #expect(try await folder.test(["ale.vmt"]).status == .success)
    }
  }

  @Test func `Ctrl-C leaves the session where it is`() async throws {
    try await TestFolder.with { folder in
      let terminal = try Self.start(
        folder, ["confinedfixture.so", "--view-model", "confined.slow"])
      for number in 0..<3 { try Self.type("busy 20\(number)", on: terminal) { $0 == "< done" } }
      try terminal.write(":back\r\u{3}")
      try terminal.wait(for: "the refusal") { screen in
        screen.lines.contains("interrupted: the session is still at step 4.")
      }
      try Self.type(":steps 1", on: terminal) { $0.hasPrefix("→ 4") }
      try Self.end(terminal)
    }
  }

  @Test func `what can't be repeated can't be saved`() async throws {
    try await TestFolder.with { folder in
      let terminal = try Self.start(
        folder, ["determinismfixture.so", "--view-model", "sources.surroundings"])
      try Self.type("processID", on: terminal) { $0.hasPrefix("< saw") }
      try Self.type(":save p.vmt", on: terminal) { $0.contains("can't be repeated") }
      #expect(
        Self.answer(":save p.vmt", terminal).joined() == "step 2 can't be repeated: the plugin did"
          + " something else this time.")
      try Self.end(terminal)
      #expect(try folder.names() == [])
    }
  }

  private static let mistakes: [(line: String, answer: String)] = [
    (":back 2", "you can go back at most 1 step."),
    (":back 0", ":back: \"0\" is not a whole number from 1 on."),
    (":back -1", ":back: \"-1\" is not a whole number from 1 on."),
    (":back one", ":back: \"one\" is not a whole number from 1 on."),
    (":go", ":go needs the number of a step, as in :go 12."),
    (":go 99999999999999999999", ":go: \"99999999999999999999\" is not a whole number from 0 on."),
    (":go 2", "there is no step 2: the last one is 1."),
    (":steps x", ":steps: \"x\" is not a whole number from 1 on."),
    (":save", ":save needs a file, as in :save search.vmt."),
    (
      ":save no/such.vmt",
      "could not save to \"no/such.vmt\": No such file or directory."
    ),
    (":stpes", "There is no command :stpes. Did you mean \":steps\"?"),
  ]

  @Test func `a mistake says what is wrong, and the session goes on`() async throws {
    try await TestFolder.with { folder in
      let terminal = try Self.start(folder, ["echo.so"])
      for (line, answer) in Self.mistakes {
        try Self.type(line, on: terminal) { $0.contains(answer.prefix(30)) }
        #expect(Self.answer(line, terminal).joined() == answer)
      }
      try Self.type(":go 0", on: terminal) { $0.hasPrefix("# at step 0 of 1") }
      try Self.type(":back", on: terminal) { $0 == "there is no step to go back." }
      try Self.type(":save zero.vmt", on: terminal) { $0 == "there is no step to save." }
      try Self.type(":go 1", on: terminal) { $0.hasPrefix("# at step 1") }
      try Self.type("say 1", on: terminal) { $0 == "< said 1" }
      try Self.end(terminal)
    }
  }
}
