import Testing

@testable import vmhost

/// A small tool whose help text fits into a test.
private let tool = CommandTable(
  program: "tool", summary: "Does things to files.", version: "1.2.3",
  commands: [
    Command(
      name: "pack", summary: "Packs files.", details: "",
      positional: Positional(placeholder: "FILE", isRepeatable: true, help: "What to pack."),
      sections: [
        OptionSection(
          title: "Options",
          options: [
            CommandOption("output", short: "o", "PATH", help: "Where the pack goes."),
            CommandOption("skip", "NAME", isRepeatable: true, help: "What to leave out."),
            CommandOption("level", oneOf: ["fast", "small"], help: "What matters more to you."),
            CommandOption(flag: "quiet", short: "q", help: "Say nothing."),
            CommandOption(flag: "force", short: "f", help: "Overwrite what is there already."),
          ])
      ],
      examples: [
        "Pack one file:":
          "tool pack a.txt"
      ]),
    Command(
      name: "list", summary: "Lists what is in a pack.", details: "",
      positional: Positional(placeholder: "PACK", isRepeatable: false, help: "The pack."),
      sections: [], examples: [:]),
  ])

private func parse(_ line: String...) throws -> ParsedArguments {
  guard case .command(let arguments) = try tool.parse(line, width: 80) else {
    throw NotACommand()
  }
  return arguments
}

private struct NotACommand: Error {}

private func answer(_ line: String..., in table: CommandTable = tool) throws -> String? {
  guard case .answer(let text) = try table.parse(line, width: 80) else { return nil }
  return text
}

struct ArgumentTests {
  @Test func `takes options and positionals in any order`() throws {
    let parsed = try parse(
      "pack", "a", "--skip", "x", "-q", "b", "--skip=y=z", "--output=", "--level", "fast", "-")
    #expect(parsed.command.name == "pack")
    #expect(parsed.positionals == ["a", "b", "-"])
    #expect(parsed.values(of: "skip") == ["x", "y=z"])
    #expect(parsed.value(of: "output") == "")
    #expect(parsed.value(of: "level") == "fast")
    #expect(parsed.flag("quiet"))
    #expect(!parsed.flag("force"))
  }

  @Test func `has no values where none were given`() throws {
    let parsed = try parse("list", "p")
    #expect(parsed.positionals == ["p"])
    #expect(try parse("pack", "p").value(of: "output") == nil)
    #expect(try parse("pack", "p").values(of: "skip") == [])
  }

  @Test func `ends the options at two dashes`() throws {
    let parsed = try parse("pack", "-q", "--", "--output", "-x", "--", "--help")
    #expect(parsed.positionals == ["--output", "-x", "--", "--help"])
    #expect(parsed.value(of: "output") == nil)
  }

  @Test(arguments: [["-o", "x"], ["-ox"], ["-qfo", "x"], ["-qfox"], ["-fq", "--output", "x"]])
  func `takes short options alone and together`(_ options: [String]) throws {
    guard case .command(let parsed) = try tool.parse(["pack", "a"] + options, width: 80) else {
      Issue.record("not a command")
      return
    }
    #expect(parsed.value(of: "output") == "x")
    #expect(parsed.flag("quiet") == (options != ["-o", "x"] && options != ["-ox"]))
  }

  @Test func `takes a value that begins with one dash`() throws {
    #expect(try parse("pack", "a", "--output", "-5").value(of: "output") == "-5")
    #expect(try parse("pack", "a", "--output", "-").value(of: "output") == "-")
    #expect(try parse("pack", "a", "--output=--skip").value(of: "output") == "--skip")
  }

  @Test(
    arguments: [
      (["pakc"], "There is no command \"pakc\". Did you mean \"pack\"?"),
      (["zzzzzz"], "There is no command \"zzzzzz\"."),
      (["help", "lisst"], "There is no command \"lisst\". Did you mean \"list\"?"),
      (
        ["movies.so"],
        "There is no command \"movies.so\". To run a plugin, write \"tool run movies.so\"."
      ),
      (["--output", "x"], "\"--output\" goes after the command, as in \"tool pack …\"."),
      (["--versoin"], "There is no option \"--versoin\". Did you mean \"--version\"?"),
      (
        ["pack", "a", "--otuput=x"],
        "\"tool pack\" has no option \"--otuput=x\". Did you mean \"--output\"?"
      ),
      (["pack", "a", "-qx"], "\"tool pack\" has no option \"-x\"."),
      (["pack", "a", "--"], nil),
      (["pack", "a", "--output"], "\"--output\" needs a value: --output PATH."),
      (["pack", "a", "--output", "--output", "x"], "\"--output\" needs a value: --output PATH."),
      (
        ["pack", "a", "--output", "--skip"],
        """
        "--output" needs a value: --output PATH. "--skip" looks like an option; if it is the \
        value, write "--output=--skip".
        """
      ),
      (
        ["pack", "a", "-o", "-q"],
        """
        "--output" needs a value: --output PATH. "-q" looks like an option; if it is the \
        value, write "--output=-q".
        """
      ),
      (["pack", "a", "--quiet=yes"], "\"--quiet\" takes no value, but was given \"yes\"."),
      (["pack", "a", "-o", "x", "--output=y"], "\"--output\" was given twice; give it once."),
      (["pack", "a", "-qq"], "\"--quiet\" was given twice; give it once."),
      (
        ["pack", "a", "--level=fsat"],
        "\"--level\" can't be \"fsat\"; it is \"fast\" or \"small\". Did you mean \"fast\"?"
      ),
      (["pack", "a", "--level", ""], "\"--level\" can't be \"\"; it is \"fast\" or \"small\"."),
      (["pack"], "\"tool pack\" needs FILE."),
      (["pack", "-q", "--"], "\"tool pack\" needs FILE."),
      (["list", "a", "b"], "\"tool list\" takes one PACK, but \"b\" came too."),
      (["a\u{1B}[2Jb\n"], "There is no command \"a\\u{1B}[2Jb\\n\"."),
    ] as [([String], String?)])
  func `says what is wrong with a command line`(_ line: [String], message: String?) {
    do {
      _ = try tool.parse(line, width: 80)
      #expect(message == nil)
    } catch {
      #expect(error.message == message)
      #expect(error.description == "\(error.message)\n\(error.hint)")
    }
  }

  @Test func `points to the help of the command`() {
    #expect(throws: UsageError.self) { try parse("pack") }
    let error = #expect(throws: UsageError.self) { try parse("list") }
    #expect(error?.hint == "See \"tool list --help\".")
    let other = #expect(throws: UsageError.self) { try parse("nothing") }
    #expect(other?.hint == "See \"tool --help\" for the commands.")
  }

  @Test func `cuts what is too long to be read`() {
    let error = #expect(throws: UsageError.self) {
      try parse(String(repeating: "x", count: 1_000_000))
    }
    #expect(error?.message.count ?? 0 < 300)
  }
}

struct HelpTests {
  @Test func `shows all that a command takes`() throws {
    let expected = """
      Packs files.

      Usage: tool pack [OPTIONS] FILE…

      Arguments:
        FILE…               What to pack.

      Options:
        -o, --output PATH   Where the pack goes.
        --skip NAME         What to leave out.
        --level fast|small  What matters more to you.
        -q, --quiet         Say nothing.
        -f, --force         Overwrite what is there already.

      Help:
        -h, --help          Show this help.

      Examples:
        Pack one file:
          tool pack a.txt

      """
    #expect(try answer("pack", "--help") == expected)
    #expect(try answer("pack", "-h") == expected)
    #expect(try answer("help", "pack") == expected)
    #expect(try answer("pack", "--otuput", "--help") == expected)
  }

  @Test func `shows all commands`() throws {
    let expected = """
      Does things to files.

      Usage: tool COMMAND [OPTIONS]

      Commands:
        pack          Packs files.
        list          Lists what is in a pack.
        help COMMAND  Show the options of a command.

      Options:
        -h, --help    Show this help.
        --version     Show the version; with --json behind it, those of all formats,
                      too, and what confines plugins here.

      """
    #expect(try answer("--help") == expected)
    #expect(try answer("-h") == expected)
    #expect(try answer("help") == expected)
    guard case .overview(let text) = try tool.parse([], width: 80) else {
      Issue.record("no overview without a command")
      return
    }
    #expect(text == expected)
  }

  @Test func `shows the version`() throws {
    #expect(try answer("--version") == "tool 1.2.3\n")
    #expect(try answer("pack", "--version") == "tool 1.2.3\n")
  }

  @Test(
    arguments: [
      (nil, 80), ("", 80), ("x", 80), ("-3", 80), ("0", 80), ("72", 72), ("10", 40), ("999", 200),
    ] as [(String?, Int)])
  func `takes its width from COLUMNS`(_ columns: String?, width: Int) {
    #expect(HelpText.width(columns: columns) == width)
  }

  @Test(arguments: [40, 60, 80, 120])
  func `wraps the help of every command to the width`(_ width: Int) throws {
    for arguments in [["help"], ["help", "run"], ["help", "describe"]] {
      guard case .answer(let text) = try CommandTable.vmhost.parse(arguments, width: width) else {
        Issue.record("no help for \(arguments)")
        return
      }
      for line in text.split(separator: "\n") {
        // Command lines, options with their values, and the lines of the details are kept whole, so
        // that they can be copied.
        let isKept =
          line.hasPrefix("Usage: ") || line.hasPrefix("    vmhost") || line.hasPrefix("    printf")
          || line.hasPrefix("  >") || line.hasPrefix("  +") || line.hasPrefix("  --")
        #expect(line.count <= (isKept ? max(80, width) : width), "\(line)")
        #expect(line.last != " ")
      }
    }
  }

  @Test func `explains every option and every command of vmhost`() {
    for command in CommandTable.vmhost.commands {
      #expect(command.summary.hasSuffix("."))
      #expect(command.positional?.help.hasSuffix(".") != false)
      for option in command.options { #expect(option.help.hasSuffix("."), "\(option.name)") }
      #expect(Set(command.options.map(\.name)).count == command.options.count)
    }
  }

  @Test func `gives examples that parse`() throws {
    for example in CommandTable.vmhost.commands.flatMap(\.examples) {
      let words = example.value.split(separator: " ").map(String.init)
      let start = try #require(words.lastIndex(of: "vmhost"), "\(example.value)")
      let end = words.lastIndex(of: ">").flatMap { $0 > start ? $0 : nil } ?? words.endIndex
      let arguments = Array(words[(start + 1)..<end])
      #expect(throws: Never.self) { try CommandTable.vmhost.parse(arguments, width: 80) }
    }
  }

  @Test func `takes every option of the run command`() throws {
    let line = """
      run movies.so echo.so --script s --view-model a=b --view-model c --config {} --config @f \
      --record x.vmt --record-header date --format jsonl --seed 1 --time 2026-01-31T12:00:00Z \
      --locale en_US --time-zone UTC --clock virtual --plugin-path d --plugin-path e \
      --effect a=b --secret c=D --store memory --step-timeout 5s --sandbox off --memory 64M \
      --limit events=1 --lock f --store-adopt id --in-process --keep-going --backtrace \
      --flow f.json --watch --build make --timings --steps --html p.html
      """
    let words = line.split(separator: " ").map(String.init)
    guard case .command(let parsed) = try CommandTable.vmhost.parse(words, width: 80) else {
      Issue.record("not a command")
      return
    }
    #expect(parsed.positionals == ["movies.so", "echo.so"])
    for option in parsed.command.options where option.name != "help" {
      #expect(!parsed.values(of: option.name).isEmpty, "\(option.name)")
    }
    #expect(parsed.values(of: "config") == ["{}", "@f"])
  }
}

struct StyleTests {
  @Test(arguments: [
    (true, ["TERM": "xterm"], true), (false, ["TERM": "xterm"], false),
    (true, ["TERM": "xterm", "NO_COLOR": "1"], false),
    (true, ["TERM": "xterm", "NO_COLOR": ""], true),
    (true, ["TERM": "dumb"], false), (true, [:], false),
  ])
  func `colours only where colours are wanted`(
    isTerminal: Bool, environment: [String: String], isColoured: Bool
  ) {
    let style = Style(isTerminal: isTerminal) { environment[$0] }
    #expect(style.isColoured == isColoured)
    #expect((style.error("x") == "x") == !isColoured)
    #expect(style.error("") == "")
  }
}
