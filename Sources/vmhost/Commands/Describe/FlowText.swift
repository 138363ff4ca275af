import CanonicalJSON
import HostCore

/// A flow as text for a terminal.
enum FlowText {
  static func text(_ flow: FlowDocument, _ style: Style) -> String {
    var lines = ["start"]
    for start in flow.starts { lines.append("  \(opening(start, style))") }
    let signals = Dictionary(grouping: flow.signals, by: \.port.handle)
    var handles: Set<String> = []
    for opening in flow.openings where handles.insert(opening.handle).inserted {
      lines += ["", "\(style.handle(opening.handle)) (\(opening.viewModel))"]
      lines += self.lines(for: signals[opening.handle] ?? [], style)
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private static func lines(for signals: [FlowDocument.Signal], _ style: Style) -> [String] {
    let width = signals.map(\.port.name.count).max() ?? 0
    return signals.flatMap { signal in
      let actions = signal.actions.map { description(of: $0.act, style) }
      return (actions.isEmpty ? ["nothing"] : actions).enumerated().map { index, action in
        // The signal's name is only in the line of its first action.
        let name = index == 0 ? style.port(signal.port.name) : ""
        let written = index == 0 ? signal.port.name.count : 0
        let padding = String(repeating: " ", count: width - written + 2)
        return "  \(name)\(padding)\(action)"
      }
    }
  }

  private static func description(of act: FlowDocument.Act, _ style: Style) -> String {
    switch act {
    case .open(let opening, let unlessOpen):
      self.opening(opening, style) + (unlessOpen ? " unless it is open" : "")
    case .close(let handle): "close \(style.handle(handle))"
    case .feed(let input, let value, let mayRepeat):
      "feed \(style.handle(input.handle)).\(style.port(input.name))\(with(value?.value, style))"
        + (mayRepeat ? ", which may repeat" : "")
    }
  }

  private static func opening(_ opening: FlowDocument.Opening, _ style: Style) -> String {
    "open \(style.handle(opening.handle)) (\(opening.viewModel))"
      + with(opening.config?.value, style)
  }

  private static func with(_ value: JSONValue?, _ style: Style) -> String {
    value.map { " with \(style.value($0.canonicalText))" } ?? ""
  }
}
