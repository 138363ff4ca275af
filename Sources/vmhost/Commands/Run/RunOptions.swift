import Basics
import CanonicalJSON
import HostCore

/// The checked options of `vmhost run`.
struct RunOptions {
  /// A view model to open at the start.
  struct Opening {
    let viewModel: String
    let handle: String?
    let config: JSONValue?
    /// Whether it is skipped if a signal of an earlier instance has already opened it.
    var unlessOpen = false

    var name: String { handle ?? ViewModelManifest.defaultHandle(of: viewModel) }
  }

  /// What is different if a page drives the session.
  struct Inspection {
    /// Whether no provider gets a request until the page says so.
    let holdsRequests: Bool
  }

  /// Nil if no page drives the session.
  var inspection: Inspection?
  /// The options of the session.
  var session: SessionConfiguration
  let plugins: [String]
  let flow: String?
  let script: String?
  let format: SessionFormatName?
  /// Whether the output says what makes each step.
  let showsSteps: Bool
  /// The page to write; nil for none.
  let page: String?
  /// Whether the session goes on after a mistake in a line.
  let keepsGoing: Bool
  /// The view models to open; empty for the first one of each plugin.
  let openings: [Opening]
  /// The config if no view model is named.
  let config: JSONValue?
  /// The path of the recording; nil for none.
  let record: String?
  /// The response headers that a recording keeps besides the usual ones.
  let recordedHeaders: [String]
  /// Whether a crash is replayed for a backtrace.
  let backtrace: Bool
  /// Whether plugins are loaded anew when they change.
  let watches: Bool
  /// The command that builds them.
  let build: String?
  /// Whether the time of each step is shown.
  let measuresSteps: Bool

  /// The name of the session for people.
  var title: String {
    if let script, script != "-" { return Files.name(of: script) }
    return plugins.isEmpty ? "session" : plugins.map(Files.name).joined(separator: ", ")
  }

  /// The settings that the command line overrides.
  var givenSettings: Set<ScriptInterpreter.Setting> {
    var given: Set<ScriptInterpreter.Setting> = []
    if session.seed != nil { given.insert(.seed) }
    if session.time != nil { given.insert(.time) }
    if session.locale != nil { given.insert(.locale) }
    if session.timeZone != nil { given.insert(.timeZone) }
    if flow != nil { given.insert(.flow) }
    return given
  }

  init(_ arguments: ParsedArguments) throws(Failure) {
    plugins = arguments.positionals
    flow = arguments.value(of: "flow")
    if let flow, plugins.isEmpty {
      throw Failure(
        .usage,
        "--flow \(flow) needs a plugin on the command line. A script says \"@flow FILE\" itself,"
          + " after its @plugin lines.")
    }
    script = arguments.value(of: "script")
    (watches, build) = try arguments.watching(
      except: [
        "in-process": "a process can't reload a changed plugin",
        "record": "what a new build does isn't what was recorded. \":save\" writes the session",
      ])
    session = try Self.session(arguments, script: script)
    backtrace = arguments.flag("backtrace")
    measuresSteps = arguments.flag("timings")
    if backtrace, session.isolation.isInProcess {
      throw Failure(
        .usage,
        "--backtrace needs plugins in processes of their own, so it can't be combined with"
          + " --in-process.")
    }
    if backtrace {
      do throws(SessionFailure) {
        try SandboxPolicy().allowUnconfined(by: "--backtrace")
      } catch { throw Failure(error) }
    }
    keepsGoing = arguments.flag("keep-going")
    showsSteps = arguments.flag("steps")
    page = arguments.value(of: "html")
    format = arguments.value(of: "format").flatMap(SessionFormatName.init)
    record = arguments.value(of: "record")
    recordedHeaders = try Self.headers(arguments)
    var configs: [JSONValue] = []
    for value in arguments.values(of: "config") { configs.append(try Self.config(value)) }
    openings = try Self.openings(arguments, configs)
    config = openings.isEmpty ? configs.first : nil
    let option = openings.isEmpty ? config.map { _ in "config" } : "view-model"
    if let option, plugins.isEmpty {
      throw Failure(
        .usage,
        "--\(option) needs a plugin on the command line. Lines that name plugins themselves"
          + " (@plugin) open their instances, too (@open).")
    }
  }

  private static func session(
    _ arguments: ParsedArguments, script: String?
  ) throws(Failure) -> SessionConfiguration {
    var session = SessionConfiguration()
    session.isolation = try PluginIsolation(arguments)
    session.lock = try arguments.lock()
    session.clock = arguments.value(of: "clock").flatMap(SessionDriver.Clock.init) ?? .live
    session.locale = arguments.value(of: "locale")
    session.timeZone = arguments.value(of: "time-zone")
    session.pluginPath = arguments.values(of: "plugin-path")
    session.scriptFolder = script.flatMap(Files.folder)
    session.store = arguments.value(of: "store").flatMap { $0 == "memory" ? nil : $0 }
    session.adoptedStores = Set(arguments.values(of: "store-adopt"))
    if let id = session.adoptedStores.min(), session.store == nil {
      throw Failure(.usage, "--store-adopt \(id): there is no store. Add --store FILE.")
    }
    session.seed = try arguments.read(
      "seed", as: "a whole number from 0 to 18446744073709551615", { UInt64($0) })
    session.time = try arguments.read("time", as: Timestamp.form, Timestamp.parse)
    session.limits = try arguments.limits()
    for value in arguments.values(of: "effect") {
      let (name, command) = try pair(value, option: "effect", form: "NAME=COMMAND or NAME=none")
      // The last one of a name wins.
      session.providers.removeAll { $0.effect == name }
      session.handled.remove(name)
      if command == "none" {
        session.handled.insert(name)
      } else {
        session.providers.append(SessionConfiguration.Provider(effect: name, command: command))
      }
    }
    session.secrets = try secrets(arguments)
    return session
  }

  private static func headers(_ arguments: ParsedArguments) throws(Failure) -> [String] {
    let names = arguments.values(of: "record-header")
    if let name = names.first, arguments.value(of: "record") == nil {
      throw Failure(
        .usage, "--record-header \(name): nothing is recorded. Add --record FILE.")
    }
    for name in names {
      let isName = name.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7f && $0 != 0x3a }
      guard !name.isEmpty, isName else {
        throw Failure(
          .usage, "--record-header: \"\(name)\" is not the name of a header, such as x-total.")
      }
    }
    return names
  }

  private static func openings(
    _ arguments: ParsedArguments, _ configs: [JSONValue]
  ) throws(Failure) -> [Opening] {
    let names = arguments.values(of: "view-model")
    guard configs.count <= max(names.count, 1) else {
      throw Failure(
        .usage,
        "there are \(configs.count) --config for \(max(names.count, 1)) view model"
          + "\(names.count > 1 ? "s" : ""). Name each view model with --view-model.")
    }
    let openings = names.enumerated().map { index, name in
      // Not `index < configs.count ? configs[index] : nil`: that nil is JSON's null.
      let config: JSONValue? = configs.dropFirst(index).first
      let parts = name.byteSplit(separator: "=", maxSplits: 1)
      return Opening(
        viewModel: parts[0], handle: parts.count == 2 ? parts[1] : nil, config: config)
    }
    var taken: Set<String> = []
    for opening in openings where !taken.insert(opening.name).inserted {
      throw Failure(
        .usage,
        "--view-model: the handle \"\(opening.name)\" appears twice. Give the second one another,"
          + " as in \"--view-model \(opening.viewModel)=\(opening.name)2\".")
    }
    return openings
  }

  private static func pair(
    _ text: String, option: String, form: String
  ) throws(Failure) -> (name: String, value: String) {
    let parts = text.byteSplit(separator: "=", maxSplits: 1)
    guard parts.count == 2, !parts.contains("") else {
      throw Failure(.usage, "--\(option): \"\(text)\" is not \(form).")
    }
    return (parts[0], parts[1])
  }

  private static func secrets(_ arguments: ParsedArguments) throws(Failure) -> Secrets {
    var secrets = Secrets()
    for text in arguments.values(of: "secret") {
      let form = "NAME=VARIABLE or PLUGIN:NAME=VARIABLE"
      let (name, variable) = try pair(text, option: "secret", form: form)
      guard let parts = Secrets.parts(of: name) else {
        throw Failure(.usage, "--secret: \"\(text)\" is not \(form).")
      }
      guard let value = Environment.value(variable), !value.isEmpty else {
        throw Failure(
          .usage, "--secret \(name): the environment variable \(variable) is not set, or empty.")
      }
      guard value.utf8.count >= Secrets.minBytes else {
        throw Failure(
          .usage,
          "--secret \(name): the value of \(variable) has fewer than \(Secrets.minBytes) bytes."
            + " Too much text would be replaced by \(Secrets.placeholder(for: parts.name)).")
      }
      secrets.add(parts.name, for: parts.plugin, value: value)
    }
    return secrets
  }

  private static func config(_ text: String) throws(Failure) -> JSONValue {
    var bytes = PathText.bytes(text)
    var source = "--config"
    if text.hasPrefix("@") {
      source = String(text.dropFirst())
      do throws(SystemError) {
        bytes = try Files.read(source)
      } catch {
        throw Failure(.usage, "could not read the config \"\(source)\": \(error.reason).")
      }
    }
    let config: JSONValue
    do throws(JSONError) {
      config = try JSONValue(parsing: bytes.span)
    } catch {
      throw Failure(.usage, "\(source): the config is not JSON: \(error).")
    }
    guard case .object = config else {
      throw Failure(.usage, "\(source): a config must be a JSON object.")
    }
    return config
  }
}
