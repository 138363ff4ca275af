/// One command of the tool, as data for the parser and for the help text.
struct Command: Sendable {
  let name: String
  /// One sentence for the overview and for the top of the command's own help.
  let summary: String
  /// Paragraphs that follow the usage line, separated by empty lines.
  let details: String
  /// The arguments besides options; nil for none.
  let positional: Positional?
  let sections: [OptionSection]
  /// Purposes, each with a command line for it.
  let examples: KeyValuePairs<String, String>
  /// Whether only other programs use it, so that no list of commands has it.
  var isHidden = false

  var options: [CommandOption] { sections.flatMap(\.options) + [.help] }

  func option(named name: String) -> CommandOption? {
    options.first { $0.name == name }
  }

  func option(short: Character) -> CommandOption? {
    options.first { $0.short == short }
  }
}

/// The arguments of a command besides its options.
struct Positional: Sendable {
  let placeholder: String
  var isRequired = true
  let isRepeatable: Bool
  /// The allowed values; empty if any value is allowed.
  var allowed: [String] = []
  let help: String

  var label: String { placeholder + (isRepeatable ? "…" : "") }
  /// The label in the usage line, in brackets if it is optional.
  var usage: String { isRequired ? label : "[\(label)]" }
}

/// A group of options, with its title in the help text.
struct OptionSection: Sendable {
  let title: String
  let options: [CommandOption]
}

/// One option: `--name`. It takes a value if it has a placeholder; otherwise it is a flag.
struct CommandOption: Sendable {
  let name: String
  let short: Character?
  /// The name of the value in the help text; nil for a flag.
  let placeholder: String?
  let isRepeatable: Bool
  /// Whether it can also be a flag. Then a value must be attached, as in `--name=value`.
  let isValueOptional: Bool
  /// The allowed values; empty if any value is allowed.
  let allowed: [String]
  let help: String

  /// An option that takes a value.
  init(
    _ name: String, short: Character? = nil, _ placeholder: String, isRepeatable: Bool = false,
    help: String
  ) {
    self.name = name
    self.short = short
    self.placeholder = placeholder
    self.isRepeatable = isRepeatable
    isValueOptional = false
    allowed = []
    self.help = help
  }

  /// A flag that may also have one of a few values attached.
  init(flag name: String, orOneOf allowed: [String], help: String) {
    self.name = name
    short = nil
    placeholder = allowed.joined(separator: "|")
    isRepeatable = false
    isValueOptional = true
    self.allowed = allowed + [""]
    self.help = help
  }

  /// An option that takes one of a few values, which the placeholder lists if none is given.
  init(
    _ name: String, short: Character? = nil, _ placeholder: String? = nil, oneOf allowed: [String],
    help: String
  ) {
    self.name = name
    self.short = short
    self.placeholder = placeholder ?? allowed.joined(separator: "|")
    isRepeatable = false
    isValueOptional = false
    self.allowed = allowed
    self.help = help
  }

  /// A flag.
  init(flag name: String, short: Character? = nil, help: String) {
    self.name = name
    self.short = short
    placeholder = nil
    isRepeatable = false
    isValueOptional = false
    allowed = []
    self.help = help
  }

  static let help = CommandOption(flag: "help", short: "h", help: "Show this help.")

  /// How the option is written, as in `-h, --help` or `--script FILE`.
  var label: String {
    let dashed = (short.map { "-\($0), " } ?? "") + "--\(name)"
    guard let placeholder else { return dashed }
    return isValueOptional ? "\(dashed)[=\(placeholder)]" : "\(dashed) \(placeholder)"
  }
}
