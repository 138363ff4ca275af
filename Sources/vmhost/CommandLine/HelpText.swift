/// The help texts, made from the table of commands and wrapped to a width.
struct HelpText {
  private let table: CommandTable
  private let width: Int

  init(table: CommandTable, width: Int) {
    self.table = table
    self.width = width
  }

  /// The width for help text: `COLUMNS` if it is a positive number, from 40 to 200; otherwise 80.
  static func width(columns: String?) -> Int {
    guard let columns, let width = Int(columns), width > 0 else { return 80 }
    return min(max(width, 40), 200)
  }

  private typealias Definitions = (title: String, entries: [(label: String, help: String)])

  /// The list of all commands.
  func overview() -> String {
    let commands = table.visibleCommands.map { ($0.name, $0.summary) }
    let options = table.options.map { ($0.label, $0.help) }
    var lines = table.summary.wrapped(indent: 0, width: width)
    lines += ["", "Usage: \(table.program) COMMAND [OPTIONS]"]
    lines += definitions([
      ("Commands", commands + [("help COMMAND", "Show the options of a command.")]),
      ("Options", options),
    ])
    return lines.joined(separator: "\n") + "\n"
  }

  /// The help of one command.
  func text(for command: Command) -> String {
    var lines = command.summary.wrapped(indent: 0, width: width)
    let usage = command.positional.map { " \($0.usage)" } ?? ""
    lines += ["", "Usage: \(table.program) \(command.name) [OPTIONS]\(usage)"]
    if !command.details.isEmpty { lines += [""] + command.details.wrapped(indent: 0, width: width) }
    let sections = command.sections + [OptionSection(title: "Help", options: [.help])]
    lines += definitions(
      (command.positional.map { [("Arguments", [($0.label, $0.help)])] } ?? [])
        + sections.map { section in
          (section.title, section.options.map { ($0.label, $0.help) })
        })
    if !command.examples.isEmpty { lines += ["", "Examples:"] }
    for (purpose, commandLine) in command.examples {
      lines += purpose.wrapped(indent: 2, width: width)
      lines.append("    \(commandLine)")
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// Titled lists in two columns: labels, and what they mean. A long label gets a line of its own.
  private func definitions(_ lists: [Definitions]) -> [String] {
    let longest = lists.flatMap(\.entries).map(\.label.count).max() ?? 0
    let labelWidth = min(longest, width < 60 ? 12 : 24)
    let indent = 2 + labelWidth + 2
    var lines: [String] = []
    for list in lists {
      lines += ["", "\(list.title):"]
      for entry in list.entries {
        var help = entry.help.wrapped(indent: indent, width: width)[...]
        var line = "  " + entry.label
        if entry.label.count <= labelWidth, let first = help.popFirst() {
          line += String(repeating: " ", count: indent - line.count) + first.dropFirst(indent)
        }
        lines += [line] + help
      }
    }
    return lines
  }
}
