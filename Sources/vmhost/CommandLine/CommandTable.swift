/// All commands of a tool, and what its command line asks for.
struct CommandTable: Sendable {
  let program: String
  let summary: String
  let version: String
  let commands: [Command]

  /// What a command line asks for.
  enum Invocation: Sendable {
    /// Run `arguments.command.name`.
    case command(ParsedArguments)
    /// Help or the version, asked for: to standard output, status 0.
    case answer(String)
    /// No command at all: the overview, to standard error, status 2.
    case overview(String)
  }

  /// Reads the arguments, the program's own name left out. Help text is made `width` columns wide.
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
    case "--version": return .answer(versionLine)
    default: break
    }
    if first.hasPrefix("-") && first.count > 1 {
      throw UsageError.misplacedOption(first, in: self)
    }
    let command = try command(named: first)
    // Neither word can be the value of an option, so whoever asks for help gets it, whatever else
    // is wrong with the line.
    let words = rest.prefix { $0 != "--" }
    if words.contains("--help") || words.contains("-h") {
      return .answer(help.text(for: command))
    }
    if words.contains("--version") { return .answer(versionLine) }
    return .command(try ArgumentParser.parse(rest, of: command, program: program))
  }

  private var versionLine: String { "\(program) \(version)\n" }

  private func command(named name: String) throws(UsageError) -> Command {
    guard let command = commands.first(where: { $0.name == name }) else {
      throw UsageError.unknownCommand(name, in: self)
    }
    return command
  }
}
