import CanonicalJSON
import HostCore

/// `vmhost describe`: what a plugin holds, for people, programs or a web page.
enum DescribeCommand {
  static func run(_ arguments: ParsedArguments) throws(Failure) -> Outcome {
    do {
      let name = arguments.positionals[0]
      let isTerminal = Descriptor.isTerminal(Descriptor.standardOutput)
      let output = Output(descriptor: try Descriptor.divertStandardOutput())
      let locator = PluginLocator(
        script: nil, given: arguments.values(of: "plugin-path"),
        variable: Environment.value("VMHOST_PLUGIN_PATH"),
        executable: try Files.executableFolder())
      let isolation = try Isolation(arguments)
      if let notice = isolation.notice { VMHost.complain(notice) }
      let plugin = try isolation.load(
        try locator.path(of: name), named: name, watch: { _ in },
        printed: { VMHost.complain("\(name) printed: \($0)\n") })
      let text =
        switch arguments.value(of: "format") {
        case "json": json(plugin) + "\n"
        case "markdown": markdown(plugin.manifest)
        default:
          self.text(
            plugin.manifest, plugin.digest,
            Style(isTerminal: isTerminal, variable: Environment.value))
        }
      output.write { $0 += Array(text.utf8) }
      try output.flush()
      return .success
    } catch { throw Failure(error) }
  }

  /// The kinds of ports, each with its heading.
  private static func groups(
    _ model: ViewModelManifest
  ) -> [(name: String, ports: [ViewModelManifest.Port])] {
    [("Inputs", model.inputs), ("States", Array(model.states)), ("Signals", Array(model.signals))]
      .filter { !$0.1.isEmpty }
  }

  // MARK: JSON

  /// The manifest, and what it doesn't know of itself.
  private static func json(_ plugin: any PluginConnection) -> String {
    guard case .object(var members) = plugin.manifest.json, let digest = plugin.digest else {
      return plugin.manifest.json.canonicalText
    }
    members["sha256"] = .string(digest)
    return JSONValue.object(members).canonicalText
  }

  // MARK: Text

  static func text(_ manifest: PluginManifest, _ digest: String?, _ style: Style) -> String {
    var lines = ["\(manifest.id) \(manifest.version)"]
    if let digest { lines.append("sha256 \(digest)") }
    for model in manifest.viewModels {
      lines += ["", style.handle(model.id)]
      for group in groups(model) {
        lines.append("  \(group.name.lowercased())")
        let width = group.ports.map(\.name.count).max() ?? 0
        for port in group.ports {
          let type = port.schema.map(SchemaText.summary) ?? "–"
          let first = port.first.map { "  first \($0.canonicalText)" } ?? ""
          let padding = String(repeating: " ", count: width - port.name.count)
          lines.append("    \(style.port(port.name))\(padding)  \(type)\(style.value(first))")
        }
      }
      if !model.requests.isEmpty {
        lines.append("  requests  \(model.requests.joined(separator: ", "))")
      }
      if let config = model.configDefault { lines.append("  config    \(config.canonicalText)") }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  // MARK: Markdown

  static func markdown(_ manifest: PluginManifest) -> String {
    var lines = ["# \(manifest.id) \(manifest.version)"]
    for model in manifest.viewModels {
      lines += ["", "## \(model.id)"]
      for group in groups(model) {
        let isStates = group.name == "States"
        let kind = String(group.name.dropLast())
        lines += ["", "| \(kind) | Value |\(isStates ? " First |" : "")"]
        lines.append("| --- | --- |\(isStates ? " --- |" : "")")
        for port in group.ports {
          let type = port.schema.map { code(SchemaText.summary($0)) } ?? "–"
          let first = isStates ? " \(port.first.map { code($0.canonicalText) } ?? "–") |" : ""
          lines.append("| \(code(port.name)) | \(type) |\(first)")
        }
      }
      if !model.requests.isEmpty {
        lines += ["", "Requests: \(model.requests.map(code).joined(separator: ", "))"]
      }
      if let config = model.configDefault {
        lines += ["", "Config: \(code(config.canonicalText))"]
      }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// Code in a table cell, where a bar would begin the next cell.
  private static func code(_ text: String) -> String {
    let escaped = text.split(separator: "|", omittingEmptySubsequences: false)
      .joined(separator: "\\|")
    return "`\(escaped)`"
  }
}
