import HostCore

/// A flow as a Mermaid flowchart.
enum FlowChart {
  /// Draws a node for each handle, and an edge for each action: solid for opening, thick for
  /// feeding, dotted for closing.
  ///
  /// Labels need no escapes: handles, ids and names of ports consist of letters, digits, _, - and
  /// dots, which was checked when the flow was read. Nodes have numbers, since a handle may be a
  /// keyword of Mermaid, such as `end`.
  static func mermaid(_ flow: FlowDocument) -> String {
    var nodes: [String: String] = [:]
    var lines = ["flowchart LR", "  start([start])"]
    for opening in flow.openings where nodes[opening.handle] == nil {
      let node = "n\(nodes.count + 1)"
      nodes[opening.handle] = node
      lines.append("  \(node)[\"\(opening.handle)<br/>\(opening.viewModel)\"]")
    }
    let node = { (handle: String) in nodes[handle] ?? handle }
    for start in flow.starts { lines.append("  start --> \(node(start.handle))") }
    for signal in flow.signals {
      for action in signal.actions {
        let (arrow, note, target) = edge(action.act)
        let label = "\(signal.port.name)\(note)"
        lines.append(
          "  \(node(signal.port.handle)) \(arrow)|\"\(label)\"| \(node(target))")
      }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private static func edge(
    _ act: FlowDocument.Act
  ) -> (arrow: String, note: String, target: String) {
    switch act {
    case .open(let opening, let unlessOpen):
      ("-->", unlessOpen ? " (unless open)" : "", opening.handle)
    case .close(let handle): ("-.->", "", handle)
    case .feed(let input, _, _): ("==>", " → \(input.name)", input.handle)
    }
  }
}
