/// All commands of a tool.
struct CommandTable: Sendable {
  let program: String
  let summary: String
  let version: String
  let commands: [Command]

  /// The commands for people.
  var visibleCommands: [Command] { commands.filter { !$0.isHidden } }

  /// The options that stand without a command.
  var options: [CommandOption] {
    [
      .help,
      CommandOption(
        flag: "version",
        help: """
          Show the version; with --json behind it, those of all formats, too, and what confines \
          plugins here.
          """),
    ]
  }

  /// What a command line asks for.
  enum Invocation: Sendable {
    /// Run `arguments.command.name`.
    case command(ParsedArguments)
    /// Print the help or version that was asked for to standard output; status 0.
    case answer(String)
    /// Print all versions as JSON.
    case versions
    /// Print the overview to standard error, since there is no command; status 2.
    case overview(String)
  }

  /// Parses the arguments.
  ///
  /// - Parameters:
  ///   - arguments: the arguments without the program's name.
  ///   - width: the width of help text, in columns.
  func parse(_ arguments: [String], width: Int) throws(UsageError) -> Invocation {
    let help = HelpText(table: self, width: width)
    guard let first = arguments.first else { return .overview(help.overview()) }
    let rest = arguments.dropFirst()
    switch first {
    case "help":
      guard let name = rest.first(where: { !$0.hasPrefix("-") }) else {
        return .answer(help.overview())
      }
      return .answer(help.text(for: try command(named: name)))
    case "-h", "--help": return .answer(help.overview())
    case "--version": return try version(rest)
    default: break
    }
    if first.hasPrefix("-") && first.count > 1 {
      throw UsageError.misplacedOption(first, in: self)
    }
    let command = try command(named: first)
    // These can't be the values of options. So help is shown even if the rest of the line is wrong.
    let options = rest.prefix { $0 != "--" }
    if options.contains("--help") || options.contains("-h") {
      return .answer(help.text(for: command))
    }
    if options.contains("--version"), command.option(named: "version") == nil {
      return .answer(versionLine)
    }
    return .command(try ArgumentParser.parse(rest, of: command, program: program))
  }

  /// What follows `--version` may ask for JSON.
  private func version(_ rest: ArraySlice<String>) throws(UsageError) -> Invocation {
    guard let argument = rest.first else { return .answer(versionLine) }
    guard argument == "--json", rest.count == 1 else {
      let extra = argument == "--json" ? rest[rest.index(after: rest.startIndex)] : argument
      throw UsageError.afterVersion(extra, in: self)
    }
    return .versions
  }

  private var versionLine: String { "\(program) \(version)\n" }

  private func command(named name: String) throws(UsageError) -> Command {
    guard let command = commands.first(where: { $0.name == name }) else {
      throw UsageError.unknownCommand(name, in: self)
    }
    return command
  }
}
