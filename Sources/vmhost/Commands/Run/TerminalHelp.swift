import Basics
import CanonicalJSON
import HostCore

/// The commands of a terminal session. They begin with a colon, and are not lines of a script.
enum TerminalHelp {
  static let commands: [(name: String, help: String)] = [
    (":ports", "the inputs, states and signals of what is open"),
    (":frame", "the latest value of each state"),
    (":steps", "the last steps of the session; :steps 100 more of them"),
    (":back", "goes back one step; :back 3 three of them"),
    (":go", "goes to a step, as in :go 12"),
    (":save", "writes the steps so far to a transcript, as in :save search.vmt"),
    (":help", "this"),
    (":quit", "ends the session, as Ctrl-D does"),
  ]

  static func answer(_ command: String, _ session: SessionEngine, _ style: Style) -> String {
    switch command {
    case ":ports": return ports(session, style)
    case ":frame": return frame(session, style)
    case ":help": return help
    default: return style.error(unknown(command))
    }
  }

  /// The message about a command that there isn't.
  private static func unknown(_ command: String) -> String {
    "There is no command \(command)."
      + NearestName.hint(for: command, among: commands.map(\.name))
  }

  /// A hint for a line that is a command of other tools; nil for any other line.
  static func hint(_ line: String, _ session: SessionEngine) -> String? {
    let inputs = session.instances.flatMap(\.viewModel.inputs)
    guard !inputs.contains(where: { $0.name == line }) else { return nil }
    return switch line {
    case "help", "?": help
    case "quit", "exit", "q": "Ctrl-D ends the session."
    default: nil
    }
  }

  private static let help =
    """
      didSearch "batman"     sends an input; the value is JSON (Tab completes names)
      list.didSearch "x"     the same, to one of several instances
      + 300ms   + idle       lets time pass; Ctrl-C stops waiting
      ! 1 {"status":200}     answers request 1
      @open ID [as HANDLE]   opens another view model; @close HANDLE closes one

    """
    + commands.map { "  \($0.name.padded(to: 21))  \($0.help)" }.joined(separator: "\n")
    + "\n\(keys)"

  private static let keys =
    """
      Up, Ctrl-R             an earlier line, also of earlier sessions; Ctrl-R searches
      Ctrl-C                 clears the line; twice on an empty one ends the session
      Ctrl-D                 ends the session
    """

  private static func ports(_ session: SessionEngine, _ style: Style) -> String {
    session.instances.map { instance in
      let model = instance.viewModel
      let groups = [
        ("inputs", model.inputs[...]), ("states", model.states), ("signals", model.signals),
      ]
      let width = (model.inputs + model.outputs).map(\.name.count).max() ?? 0
      let lines = groups.filter { !$0.1.isEmpty }.map { name, ports in
        "  \(name)\n"
          + ports.map { port in
            let type = port.schema.map { "  \(style.value(SchemaText.summary($0)))" } ?? ""
            let padding = type.isEmpty ? "" : "".padded(to: width - port.name.count)
            return "    \(style.port(port.name))\(padding)\(type)"
          }
          .joined(separator: "\n")
      }
      return "\(style.handle(instance.handle)) (\(model.id))\n" + lines.joined(separator: "\n")
    }
    .joined(separator: "\n")
  }

  private static func frame(_ session: SessionEngine, _ style: Style) -> String {
    session.instances.map { instance in
      zip(instance.viewModel.states, instance.frame).map { state, value in
        let handle = session.instances.count > 1 ? "\(style.handle(instance.handle))." : ""
        var text: [UInt8] = []
        TextValue.append(value.span, to: &text)
        return "\(handle)\(style.port(state.name))\(String(repairing: text.span))"
      }
      .joined(separator: "\n")
    }
    .joined(separator: "\n")
  }
}

extension String {
  func padded(to width: Int) -> String {
    self + String(repeating: " ", count: max(width - count, 0))
  }
}
