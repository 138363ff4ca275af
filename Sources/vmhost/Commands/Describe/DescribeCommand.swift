import Basics
import CanonicalJSON
import HostCore

/// `vmhost describe`: shows what a plugin contains or where a flow leads, for people, for programs
/// or as a web page.
enum DescribeCommand {
  /// How many remarks about a manifest are shown.
  private static let maxNotes = 100

  static func run(_ arguments: ParsedArguments) throws(Failure) -> Outcome {
    do {
      try check(arguments)
      let style = Style(
        isTerminal: Descriptor.isTerminal(Descriptor.standardOutput), variable: Environment.value)
      let output = Output(descriptor: try Descriptor.divertStandardOutput())
      let format = arguments.value(of: "format") ?? "text"
      let text: String
      if let language = FrontEnd.Language(rawValue: format) {
        text = try types(language, arguments, output)
      } else if let path = arguments.value(of: "flow") {
        let flow = try FlowDocument(contentsOf: path)
        let plugins = try load(arguments, output)
        // If the flow doesn't fit these plugins, that is an error here as in a session.
        if !plugins.isEmpty { _ = try FlowRules(flow, plugins.map(\.manifest)) }
        text = self.text(flow, format, style)
      } else {
        let plugin = try load(arguments, output)[0]
        complain(about: plugin.manifest, of: arguments.positionals[0])
        text = self.text(plugin, format, style)
      }
      output.write { $0 += Array(text.utf8) }
      try output.flush()
      return .success
    } catch { throw Failure(error) }
  }

  /// The types of a front end for these plugins, and for the handles of a flow.
  private static func types(
    _ language: FrontEnd.Language, _ arguments: ParsedArguments, _ output: Output
  ) throws -> String {
    let flow = try arguments.value(of: "flow").map { try FlowDocument(contentsOf: $0) }
    let manifests = try load(arguments, output).map(\.manifest)
    if let flow { _ = try FlowRules(flow, manifests) }
    return try FrontEnd(manifests, named: arguments.positionals, flow).types(language)
  }

  /// Refuses options for a plugin where a flow is shown, and the other way round.
  private static func check(_ arguments: ParsedArguments) throws {
    let names = arguments.positionals
    let format = arguments.value(of: "format")
    if let format, FrontEnd.Language(rawValue: format) != nil {
      guard names.isEmpty else { return }
      throw UsageError.missingArgument(
        arguments.command, advice: "Name all plugins that the front end uses.")
    }
    guard let flow = arguments.value(of: "flow") else {
      guard let first = names.first else {
        throw UsageError.missingArgument(
          arguments.command, advice: "Name one, or a flow with --flow FILE.")
      }
      guard names.count == 1 else {
        throw Failure(
          .usage,
          "describe shows one plugin at a time, and \"\(names[1])\" came after \"\(first)\"."
            + " Name several only with --flow FILE, which is checked with them.")
      }
      guard format != "mermaid" else {
        throw Failure(.usage, "--format mermaid draws a flow. Name one with --flow FILE.")
      }
      return
    }
    guard format != "markdown" else {
      throw Failure(
        .usage,
        "--format markdown is for a plugin, and --flow \(flow) names a flow. A flow can be text,"
          + " json or mermaid.")
    }
  }

  /// Says what in a manifest has no effect.
  private static func complain(about manifest: PluginManifest, of name: String) {
    let notes = manifest.notes()
    for note in notes.prefix(maxNotes) {
      Console.complain("vmhost: \(name): \(note)".terminalSafeLine + "\n")
    }
    let others = notes.count - maxNotes
    if others > 0 { Console.complain("vmhost: \(name): \(others) more like these.\n") }
  }

  private static func load(
    _ arguments: ParsedArguments, _ output: Output
  ) throws -> [any PluginConnection] {
    let loading = try PluginLoading(arguments, output, lock: try arguments.lock())
    return try arguments.positionals.map { name in
      try loading.load(try loading.path(of: name), named: name)
    }
  }

  private static func text(_ flow: FlowDocument, _ format: String, _ style: Style) -> String {
    switch format {
    case "json": flow.json.canonicalText + "\n"
    case "mermaid": FlowChart.mermaid(flow)
    default: FlowText.text(flow, style)
    }
  }

  private static func text(
    _ plugin: any PluginConnection, _ format: String, _ style: Style
  ) -> String {
    switch format {
    case "json": json(plugin) + "\n"
    case "markdown": markdown(plugin.manifest)
    default: text(plugin.manifest, plugin.digest, style)
    }
  }

  /// The kinds of ports, each with its heading.
  private static func groups(
    _ model: ViewModelManifest
  ) -> [(name: String, ports: [ViewModelManifest.Port])] {
    [("Inputs", model.inputs), ("States", Array(model.states)), ("Signals", Array(model.signals))]
      .filter { !$0.1.isEmpty }
  }

  // MARK: JSON

  /// The manifest, with the digest of the library if it is known.
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

  /// Code in a table cell. Bars are escaped, since they separate cells.
  private static func code(_ text: String) -> String {
    "`\(text.byteReplacing("|", with: "\\|"))`"
  }
}
