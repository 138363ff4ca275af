import HostCore

/// A page of the manual, made from the table of commands.
struct ManualPage {
  /// The name of the page, such as `vmhost-run`.
  let name: String
  private(set) var roff = RoffText()

  var text: String { roff.text }

  /// The page of the program, and one for each command.
  static func all(of table: CommandTable) -> [ManualPage] {
    [ManualPage(table)] + table.visibleCommands.map { ManualPage($0, of: table) }
  }

  /// Begins a page.
  private init(_ name: String, _ summary: String, _ table: CommandTable) {
    self.name = name
    let version = "\"\(table.program) \(table.version)\" \"User Commands\""
    roff.add(macro: "TH \(name.uppercased()) 1 \(HostVersion.date) \(version)")
    // Words of a command line must not be broken.
    roff.add(macro: "nh")
    roff.add(macro: "ad l")
    roff.add(section: "NAME")
    roff.add(prose: "\(name) - \(summary.withoutPeriod)")
    roff.add(section: "SYNOPSIS")
  }

  private init(_ table: CommandTable) {
    self.init(table.program, "runs view models that ship as loadable plugins", table)
    roff.add(line: "\\fB\(table.program)\\fR \\fICOMMAND\\fR [\\fIOPTIONS\\fR]")
    roff.add(section: "DESCRIPTION")
    roff.add(prose: table.summary)
    roff.add(section: "COMMANDS")
    for command in table.visibleCommands {
      roff.add(term: Self.reference(to: command, of: table), prose: command.summary)
    }
    roff.add(section: "OPTIONS")
    for option in table.options { roff.add(option: option) }
    addStatuses()
    seeAlso(table.visibleCommands.map { Self.name(of: $0, in: table) })
  }

  private init(_ command: Command, of table: CommandTable) {
    self.init(Self.name(of: command, in: table), command.summary, table)
    let usage = command.positional.map { " " + $0.roffUsage } ?? ""
    let name = RoffText.escaped("\(table.program) \(command.name)")
    roff.add(line: "\\fB\(name)\\fR [\\fIOPTIONS\\fR]\(usage)")
    roff.add(section: "DESCRIPTION")
    roff.add(prose: command.summary)
    if !command.details.isEmpty { roff.add(paragraphs: command.details) }
    if let positional = command.positional {
      roff.add(section: "ARGUMENTS")
      roff.add(term: "\\fI\(RoffText.escaped(positional.label))\\fR", prose: positional.help)
    }
    roff.add(section: "OPTIONS")
    for section in command.sections {
      if command.sections.count > 1 { roff.add(subsection: section.title) }
      for option in section.options { roff.add(option: option) }
    }
    if command.sections.count > 1 { roff.add(subsection: "Help") }
    roff.add(option: .help)
    addStatuses()
    if !command.examples.isEmpty { roff.add(section: "EXAMPLES") }
    for (index, example) in command.examples.enumerated() {
      if index > 0 { roff.add(macro: "PP") }
      roff.add(prose: example.key)
      roff.add(code: [example.value])
    }
    let others = table.visibleCommands.filter { $0.name != command.name }
    seeAlso([table.program] + others.map { Self.name(of: $0, in: table) })
  }

  private mutating func addStatuses() {
    roff.add(section: "EXIT STATUS")
    for outcome in Outcome.documented {
      roff.add(term: "\\fB\(outcome.status)\\fR", prose: outcome.meaning)
    }
    roff.add(term: "\\fB128 + n\\fR", prose: Outcome.signal(0).meaning)
  }

  private mutating func seeAlso(_ names: [String]) {
    roff.add(section: "SEE ALSO")
    for name in names {
      let end = name == names.last ? "" : ","
      roff.add(macro: "BR \(RoffText.escaped(name)) (1)\(end)")
    }
  }

  private static func name(of command: Command, in table: CommandTable) -> String {
    "\(table.program)-\(command.name)"
  }

  private static func reference(to command: Command, of table: CommandTable) -> String {
    "\\fB\(RoffText.escaped(name(of: command, in: table)))\\fR(1)"
  }
}

extension Positional {
  fileprivate var roffUsage: String {
    let text = "\\fI\(RoffText.escaped(placeholder))\\fR\(isRepeatable ? "..." : "")"
    return isRequired ? text : "[\(text)]"
  }
}

extension RoffText {
  fileprivate mutating func add(option: CommandOption) {
    let dashed = (option.short.map { "-\($0), " } ?? "") + "--\(option.name)"
    var term = "\\fB\(Self.escaped(dashed))\\fR"
    if let placeholder = option.placeholder {
      let value = "\\fI\(Self.escaped(placeholder))\\fR"
      term += option.isValueOptional ? "[=\(value)]" : " \(value)"
    }
    add(term: term, prose: option.help)
  }
}

extension String {
  fileprivate var withoutPeriod: String { hasSuffix(".") ? String(dropLast()) : self }
}
