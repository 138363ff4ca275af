/// All commands of a tool.
struct CommandTable: Sendable {
  let program: String
  let summary: String
  let version: String
  let commands: [Command]

  /// What a command line asks for.
  enum Invocation: Sendable {
    /// Run `arguments.command.name`.
    case command(ParsedArguments)
    /// Print the help or version that was asked for to standard output; status 0.
    case answer(String)
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
    case "--version": return .answer(versionLine)
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
    if options.contains("--version") { return .answer(versionLine) }
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
