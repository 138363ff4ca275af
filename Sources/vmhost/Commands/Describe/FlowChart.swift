import HostCore

/// A flow as a Mermaid flowchart.
enum FlowChart {
  /// A node for each handle, and an edge for each action: solid where it opens, thick where it
  /// feeds, dotted where it closes.
  ///
  /// Labels need no escapes: a handle, an id and the name of a port have letters, digits, _, - and
  /// dots, or the flow would not have been read. Nodes have numbers, since a handle may well be a
  /// word of Mermaid's own, such as `end`.
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
        let (arrow, words, target) = edge(action.act)
        let label = "\(signal.port.name)\(words)"
        lines.append(
          "  \(node(signal.port.handle)) \(arrow)|\"\(label)\"| \(node(target))")
      }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private static func edge(
    _ act: FlowDocument.Act
  ) -> (arrow: String, words: String, target: String) {
    switch act {
    case .open(let opening, let unlessOpen):
      ("-->", unlessOpen ? " (unless open)" : "", opening.handle)
    case .close(let handle): ("-.->", "", handle)
    case .feed(let input, _, _): ("==>", " → \(input.name)", input.handle)
    }
  }
}
