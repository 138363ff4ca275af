import Basics
import HostCore

/// An error in the arguments. All its messages are here.
struct UsageError: Error, Equatable, CustomStringConvertible {
  enum Code: Equatable, Sendable {
    case unknownCommand, unknownOption, missingValue, unexpectedValue, repeatedOption, badValue
    case missingArgument, extraArgument
  }

  let code: Code
  /// One or two sentences: what is wrong, and what was probably meant.
  let message: String
  /// Where to read more.
  let hint: String

  var description: String { "\(message)\n\(hint)" }

  static func unknownCommand(_ name: String, in table: CommandTable) -> UsageError {
    let names = table.visibleCommands.map(\.name) + ["help"]
    var suggestion = NearestName.hint(for: name, among: names)
    if suggestion.isEmpty && (name.hasSuffix(".so") || name.contains("/")) {
      suggestion = " To run a plugin, write \"\(table.program) run \(escaped(name))\"."
    }
    return UsageError(
      code: .unknownCommand, message: "There is no command \(quoted(name)).\(suggestion)",
      hint: "See \"\(table.program) --help\" for the commands.")
  }

  /// An option before the command.
  static func misplacedOption(_ written: String, in table: CommandTable) -> UsageError {
    let name = optionName(written)
    let owner = table.commands.first { $0.option(named: name) != nil }
    let message =
      owner.map {
        "\(quoted(written)) goes after the command, as in \"\(table.program) \($0.name) …\"."
      }
      ?? "There is no option \(quoted(written))."
      + NearestName.hint(for: name, among: ["help", "version"], prefix: "--")
    return UsageError(
      code: .unknownOption, message: message,
      hint: "See \"\(table.program) --help\" for the commands.")
  }

  /// What follows `--version` and isn't `--json`.
  static func afterVersion(_ written: String, in table: CommandTable) -> UsageError {
    UsageError(
      code: .extraArgument,
      message: "\"--version\" can be followed by \"--json\" only, but \(quoted(written)) came.",
      hint: "See \"\(table.program) --help\".")
  }

  static func unknownOption(
    _ written: String, of command: Command, program: String
  ) -> UsageError {
    let names = command.options.map(\.name)
    let suggestion = NearestName.hint(for: optionName(written), among: names, prefix: "--")
    return UsageError(
      code: .unknownOption,
      message: "\"\(program) \(command.name)\" has no option \(quoted(written)).\(suggestion)",
      hint: more(about: command, program))
  }

  static func missingValue(
    of option: CommandOption, before next: String?, _ command: Command, program: String
  ) -> UsageError {
    let placeholder =
      option.allowed.isEmpty
      ? option.placeholder ?? "VALUE" : option.allowed.joined(separator: "|")
    var message = "\"--\(option.name)\" needs a value: --\(option.name) \(placeholder)."
    if let next {
      let attached = "--\(option.name)=\(escaped(next))"
      message += " \(quoted(next)) looks like an option; if it is the value, write \"\(attached)\"."
    }
    return UsageError(code: .missingValue, message: message, hint: more(about: command, program))
  }

  static func unexpectedValue(
    of option: CommandOption, _ value: String, _ command: Command, program: String
  ) -> UsageError {
    UsageError(
      code: .unexpectedValue,
      message: "\"--\(option.name)\" takes no value, but was given \(quoted(value)).",
      hint: more(about: command, program))
  }

  static func repeated(
    _ option: CommandOption, _ command: Command, program: String
  ) -> UsageError {
    UsageError(
      code: .repeatedOption, message: "\"--\(option.name)\" was given twice; give it once.",
      hint: more(about: command, program))
  }

  static func notAllowed(
    _ value: String, for option: CommandOption, _ command: Command, program: String
  ) -> UsageError {
    notAllowed(value, for: "--\(option.name)", option.allowed, command, program: program)
  }

  static func notAllowed(
    _ value: String, for label: String, _ allowed: [String], _ command: Command, program: String
  ) -> UsageError {
    let choices = listed(allowed.filter { !$0.isEmpty })
    let suggestion = NearestName.hint(for: value, among: allowed)
    return UsageError(
      code: .badValue,
      message: "\"\(label)\" can't be \(quoted(value)); it is \(choices).\(suggestion)",
      hint: more(about: command, program))
  }

  /// - Parameter advice: what to do about it, as a sentence; nil if the placeholder says enough.
  static func missingArgument(
    _ command: Command, advice: String? = nil, program: String = CommandTable.vmhost.program
  ) -> UsageError {
    let needs =
      "\"\(program) \(command.name)\" needs \(command.positional?.placeholder ?? "nothing")."
    return UsageError(
      code: .missingArgument, message: advice.map { "\(needs) \($0)" } ?? needs,
      hint: more(about: command, program))
  }

  static func extraArgument(
    _ argument: String, _ command: Command, program: String
  ) -> UsageError {
    let most = command.positional.map { "one \($0.placeholder)" } ?? "nothing but options"
    let takes = "\"\(program) \(command.name)\" takes \(most)"
    return UsageError(
      code: .extraArgument, message: "\(takes), but \(quoted(argument)) came too.",
      hint: more(about: command, program))
  }

  private static func more(about command: Command, _ program: String) -> String {
    "See \"\(program) \(command.name) --help\"."
  }

  private static func optionName(_ written: String) -> String {
    String(written.drop { $0 == "-" }.prefix { $0 != "=" })
  }

  private static func listed(_ values: [String]) -> String {
    let quotedValues = values.map { "\"\($0)\"" }
    guard let last = quotedValues.last, values.count > 1 else { return quotedValues.joined() }
    return quotedValues.dropLast().joined(separator: ", ") + " or " + last
  }

  private static func quoted(_ argument: String) -> String { "\"\(escaped(argument))\"" }

  /// An argument for a message. Control characters are escaped, since they could control the
  /// terminal, and a very long argument is truncated.
  private static func escaped(_ argument: String) -> String {
    var shown = ""
    for scalar in argument.unicodeScalars.prefix(200) {
      let isControl = scalar.properties.generalCategory == .control
      shown += isControl ? scalar.escaped(asASCII: true) : String(scalar)
    }
    return argument.unicodeScalars.count > 200 ? shown + "…" : shown
  }
}
