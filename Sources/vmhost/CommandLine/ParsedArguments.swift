/// The arguments of one command, checked against its table.
struct ParsedArguments: Sendable {
  let command: Command
  /// The arguments besides options, in the order given. They are empty only if the table allows it.
  let positionals: [String]
  /// The values by option name, in the order given. A flag that was given has an empty value.
  private let values: [String: [String]]

  init(command: Command, positionals: [String], values: [String: [String]]) {
    self.command = command
    self.positionals = positionals
    self.values = values
  }

  /// These arguments as those of another command, which has all of their options that matter to it.
  func `for`(_ other: Command) -> ParsedArguments {
    ParsedArguments(command: other, positionals: positionals, values: values)
  }

  /// All values of an option, in the order given; empty if it wasn't given.
  func values(of name: String) -> [String] {
    precondition(
      command.option(named: name) != nil, "\"\(command.name)\" declares no option \"--\(name)\"")
    return values[name] ?? []
  }

  /// The value of an option that isn't repeatable; nil if it wasn't given.
  func value(of name: String) -> String? {
    values(of: name).last
  }

  /// The value of an option as `parse` reads it; nil if it wasn't given.
  ///
  /// - Parameter form: a description of valid values for the error, such as "a whole number".
  func read<Value>(
    _ name: String, as form: String, _ parse: (String) -> Value?
  ) throws(Failure) -> Value? {
    guard let text = value(of: name) else { return nil }
    guard let value = parse(text) else {
      throw Failure(.usage, "--\(name): \"\(text)\" is not \(form).")
    }
    return value
  }

  /// Whether a flag was given.
  func flag(_ name: String) -> Bool {
    !values(of: name).isEmpty
  }
}
