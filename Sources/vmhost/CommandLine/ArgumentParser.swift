/// Parses the arguments of one command as its table says.
struct ArgumentParser {
  private let command: Command
  private let program: String
  private var rest: ArraySlice<String>
  private var positionals: [String] = []
  private var values: [String: [String]] = [:]

  /// - Parameter arguments: the arguments after the command's name.
  static func parse(
    _ arguments: ArraySlice<String>, of command: Command, program: String
  ) throws(UsageError) -> ParsedArguments {
    var parser = ArgumentParser(command: command, program: program, rest: arguments)
    try parser.readAll()
    return ParsedArguments(
      command: command, positionals: parser.positionals, values: parser.values)
  }

  private init(command: Command, program: String, rest: ArraySlice<String>) {
    self.command = command
    self.program = program
    self.rest = rest
  }

  private mutating func readAll() throws(UsageError) {
    while let argument = rest.popFirst() {
      if argument == "--" {
        for argument in rest { try addPositional(argument) }
        break
      } else if argument.hasPrefix("--") {
        try readLong(argument)
      } else if argument.hasPrefix("-") && argument != "-" {
        try readShort(argument)
      } else {
        try addPositional(argument)
      }
    }
    if positionals.isEmpty && command.positional?.isRequired == true {
      throw UsageError.missingArgument(command, program: program)
    }
  }

  private mutating func addPositional(_ argument: String) throws(UsageError) {
    guard let positional = command.positional, positionals.isEmpty || positional.isRepeatable else {
      throw UsageError.extraArgument(argument, command, program: program)
    }
    guard positional.allowed.isEmpty || positional.allowed.contains(argument) else {
      throw UsageError.notAllowed(
        argument, for: positional.placeholder, positional.allowed, command, program: program)
    }
    positionals.append(argument)
  }

  /// `--name`, `--name value` or `--name=value`.
  private mutating func readLong(_ argument: String) throws(UsageError) {
    let parts = argument.dropFirst(2).split(
      separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    guard let option = command.option(named: String(parts[0])) else {
      throw UsageError.unknownOption(argument, of: command, program: program)
    }
    let attached = parts.count == 2 ? String(parts[1]) : nil
    switch (option.placeholder, attached) {
    case (nil, nil): try add("", to: option)
    case (nil, let value?):
      throw UsageError.unexpectedValue(of: option, value, command, program: program)
    case (_, let value?): try add(value, to: option)
    case (_, nil) where option.isValueOptional: try add("", to: option)
    case (_, nil): try add(try nextValue(of: option), to: option)
    }
  }

  /// `-s`, several flags as in `-ab`, `-s value` or `-svalue`.
  private mutating func readShort(_ argument: String) throws(UsageError) {
    var letters = argument.dropFirst()
    while let letter = letters.popFirst() {
      guard let option = command.option(short: letter) else {
        throw UsageError.unknownOption("-\(letter)", of: command, program: program)
      }
      guard option.placeholder != nil && !option.isValueOptional else {
        try add("", to: option)
        continue
      }
      try add(letters.isEmpty ? nextValue(of: option) : String(letters), to: option)
      return
    }
  }

  /// Takes the next argument, unless it looks like an option. A forgotten value is far more common
  /// than one that begins with two dashes, which can still be written as `--name=--value`.
  private mutating func nextValue(of option: CommandOption) throws(UsageError) -> String {
    guard let next = rest.first, !looksLikeOption(next) else {
      // Nobody means the option itself as its value.
      let isItself = rest.first.map { $0 == "--\(option.name)" } ?? false
      throw UsageError.missingValue(
        of: option, before: isItself ? nil : rest.first, command, program: program)
    }
    rest.removeFirst()
    return next
  }

  private func looksLikeOption(_ argument: String) -> Bool {
    if argument.hasPrefix("--") { return true }
    guard argument.hasPrefix("-"), let letter = argument.dropFirst().first else { return false }
    return command.option(short: letter) != nil
  }

  private mutating func add(_ value: String, to option: CommandOption) throws(UsageError) {
    guard option.isRepeatable || values[option.name] == nil else {
      throw UsageError.repeated(option, command, program: program)
    }
    guard option.allowed.isEmpty || option.allowed.contains(value) else {
      throw UsageError.notAllowed(value, for: option, command, program: program)
    }
    values[option.name, default: []].append(value)
  }
}
