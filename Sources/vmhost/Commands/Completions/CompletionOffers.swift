import HostCore

/// Finds what may stand at the cursor.
struct CompletionOffers {
  private let line: CompletedLine
  private let table: CommandTable
  private var completion: Completion

  static func completion(of line: CompletedLine, table: CommandTable) -> Completion {
    var offers = CompletionOffers(line: line, table: table)
    offers.collect()
    return offers.completion
  }

  private init(line: CompletedLine, table: CommandTable) {
    self.line = line
    self.table = table
    completion = Completion(typed: line.typed)
  }

  private mutating func collect() {
    switch line.slot {
    case .nothing: break
    case .file: completion.offers = [.files("*")]
    case .versionForm:
      completion.offers = [.value("--json", help: "Show the versions of all formats")]
    case .command: completion.offers = commands
    case .option: completion.offers = options
    case .value(let option, let offset):
      completion.offset = offset
      if option.allowed.isEmpty {
        collect(option.placeholder ?? "", of: option.name)
      } else {
        completion.offers = option.allowed.filter { !$0.isEmpty }.map { .value($0) }
      }
    case .positional(let positional):
      if positional.allowed.isEmpty {
        collect(positional.placeholder, of: nil)
      } else {
        completion.offers = positional.allowed.map { .value($0) }
      }
    }
  }

  private var commands: [Completion.Offer] {
    guard !line.typed.hasPrefix("-") else {
      return [
        .value("--help", help: "Show the commands"),
        .value("--version", help: "Show the version"),
      ]
    }
    return table.visibleCommands.map { .value($0.name, help: $0.summary.firstSentence) }
      + [.value("help", help: "Show the options of a command")]
  }

  private var options: [Completion.Offer] {
    (line.command?.options ?? []).filter { !line.isUsedUp($0) }.flatMap { option in
      let help = option.help.firstSentence
      let plain = Completion.Offer.value("--\(option.name)", help: help)
      guard option.isValueOptional else { return [plain] }
      return [plain]
        + option.allowed.filter { !$0.isEmpty }
        .map { .value("--\(option.name)=\($0)", help: help) }
    }
  }

  // MARK: Values

  /// - Parameters:
  ///   - placeholder: what the value is called in the help text.
  ///   - option: the option's name; nil for an argument.
  private mutating func collect(_ placeholder: String, of option: String?) {
    let part = String(completion.part)
    let command = line.command?.name
    switch placeholder {
    case "PLUGIN": completion.offers = [.files("*.so")] + pluginNames(part)
    case "PATH" where option == nil, "PATTERN",
      "FILE" where ["replay", "view"].contains(command) && option == nil:
      completion.offers = [.files("*\(TranscriptFinder.ending)")]
    case "FILE": completion.offers = [.files(option == "flow" ? "*.json" : "*")]
    case "PAGE": completion.offers = [.files("*.html")]
    case "DIR", "FOLDER": completion.offers = [.folders]
    case "PATH|memory": completion.offers = [.value("memory"), .files("*")]
    case "JSON|@FILE": collectConfig(part)
    case "ID[=HANDLE]":
      if !part.contains("=") { completion.offers = plugins.viewModels.map { .value($0) } }
    case "ID": completion.offers = plugins.ids.map { .value($0) }
    case "NAME=COMMAND|none": collectEffect(part)
    case "[PLUGIN:]NAME=ENV": collectSecret(part)
    case "NAME=VALUE":
      if !part.contains("=") {
        completion.offers = StepLimit.allCases.map { .value("\($0.rawValue)=", goesOn: true) }
      }
    case "KIND:OLD=NEW": collectRename(part)
    case "real|N": completion.offers = [.value("real")]
    case "NAME" where option == "time-zone":
      completion.offers = TimeZoneName.all().map { .value($0) }
    default: break
    }
  }

  private mutating func collectConfig(_ part: String) {
    guard part.hasPrefix("@") else {
      completion.offers = [.value("@", help: "A file that holds JSON", goesOn: true)]
      return
    }
    completion.offset += 1
    completion.offers = [.files("*.json")]
  }

  private mutating func collectEffect(_ part: String) {
    if let sign = part.firstIndex(of: "=") {
      completion.offset += part[...sign].count
      completion.offers = [.value("none", help: "Only lines answer"), .files("*")]
    } else {
      completion.offers = plugins.effects.map { .value("\($0)=", goesOn: true) }
    }
  }

  private mutating func collectSecret(_ part: String) {
    if let sign = part.firstIndex(of: "=") {
      completion.offset += part[...sign].count
      completion.offers = [.variables]
    } else {
      completion.offers = plugins.secrets.map { .value("\($0)=", goesOn: true) }
    }
  }

  /// The old name is in transcripts only, but the new one is a plugin's.
  private mutating func collectRename(_ part: String) {
    guard let colon = part.firstIndex(of: ":") else {
      completion.offers = TranscriptRenames.kinds.map { .value("\($0):", goesOn: true) }
      return
    }
    guard let sign = part.firstIndex(of: "="), colon < sign else { return }
    let old = part[part.index(after: colon)..<sign]
    let viewModel = old.lastIndex(of: ".").map { String(old[..<$0]) } ?? ""
    completion.offset += part[...sign].count
    let plugins = LinePlugins(ofTranscriptsOn: line)
    let names =
      part.hasPrefix("view-model:")
      ? plugins.viewModels : plugins.ports(String(part[..<colon]), of: viewModel)
    completion.offers = names.map { .value($0) }
  }

  // MARK: Plugins

  /// Names without a folder. In the current folder the shell finds them.
  private func pluginNames(_ part: String) -> [Completion.Offer] {
    guard !part.contains("/") else { return [] }
    return (try? LinePlugins.locator(line))?.names.map { .value($0) } ?? []
  }

  private var plugins: LinePlugins { LinePlugins(line) }
}

extension String {
  /// The first sentence, without its end, for a list.
  fileprivate var firstSentence: String {
    var rest = self[...]
    while let end = rest.firstIndex(of: ".") {
      rest = rest[index(after: end)...]
      if rest.isEmpty || rest.hasPrefix(" ") { return String(self[..<end]) }
    }
    return self
  }
}
