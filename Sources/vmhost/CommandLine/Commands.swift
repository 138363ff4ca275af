import HostCore

extension CommandTable {
  /// The command line of vmhost.
  static let vmhost = CommandTable(
    program: "vmhost",
    summary: "Runs and tests the view models of plugins: sends inputs and shows outputs.",
    version: HostVersion.number,
    commands: [
      .new, .run, .inspect, .replay, .view, .test, .mergeReports, .describe, .lock, .doctor,
      .completions, .manual, .complete,
    ])
}

extension Command {
  static let pluginPath = CommandOption(
    "plugin-path", "DIR", isRepeatable: true,
    help: """
      Also look for plugins in DIR, before the folders in the variable VMHOST_PLUGIN_PATH. Repeat \
      it for more folders.
      """)

  static let stepTimeout = CommandOption(
    "step-timeout", "DURATION",
    help: "Give up on a plugin that takes longer for one event, as in 5s. Default: 10s.")

  static let limit = CommandOption(
    "limit", "NAME=VALUE", isRepeatable: true,
    help: """
      Change a limit of plugins. Defaults: events 100000, bytes 200 MB, requests 100000, \
      open-requests 10000, timers 100000, storage 100 MB.
      """)

  static let lockFile = CommandOption(
    "lock", "FILE",
    help: """
      Load only the libraries in FILE, which "vmhost lock" writes. Hashes are compared before a \
      library is loaded.
      """)

  static let isolation = [
    CommandOption(
      "sandbox", oneOf: SandboxMode.allCases.map(\.rawValue),
      help: """
        The confinement of plugins: best-effort (default) takes the layers that this machine has, \
        standard and strict demand them, off takes none.
        """),
    CommandOption(
      "memory", "SIZE", help: "The memory that a plugin may use, as in 512M. Default: 1G."),
    CommandOption(
      flag: "in-process",
      help: """
        Load plugins into vmhost itself, for a debugger. Nothing is confined, and a crash of a \
        plugin ends vmhost.
        """),
  ]

  static let pluginHelp = """
    A path, or a name such as movies.so (or libmovies.so) in the current folder, the plugin \
    folders, or beside vmhost.
    """

  static let run = Command(
    name: "run",
    summary: "Runs plugins live, from a terminal, a pipe or a script.",
    details: """
      At a terminal, type an input and press Enter; outputs appear above. Ctrl-D ends the session. \
      In a pipe or a script, the session ends after the last line.

        > didSearch "batman"   an input and its value, which is JSON
        + 300ms                time passes
        + idle                 time passes until nothing is left to wait for
        # anything             a comment

      A line may also be a JSON object, as in {"name":"didSearch","value":"batman"}.
      """,
    positional: Positional(
      placeholder: "PLUGIN", isRequired: false, isRepeatable: true,
      help: pluginHelp + """
         Several plugins share one session. The line "@plugin movies.so" also loads one.
        """),
    sections: [runModels, runLines, runWorld, runPlugins],
    examples: [
      "Use a plugin by hand:":
        "vmhost run movies.so",
      "Send one input from a pipe, and wait until the answer is complete:":
        #"printf '> didSearch "batman"\n+ idle\n' | vmhost run movies.so"#,
      "Play a script, with the outcome as JSON Lines:":
        "vmhost run movies.so --script search.vmt --format jsonl",
      "Open a view model of your choice, with a config and under a short name:":
        "vmhost run movies.so --view-model movies.list=list --config @tmdb.json",
      "Give a plugin a key from the environment; it never shows in any output:":
        "vmhost run movies.so --config @tmdb.json --secret tmdb=TMDB_KEY",
    ])

  static let runModels = OptionSection(
    title: "View models",
    options: [
      CommandOption(
        "view-model", "ID[=HANDLE]", isRepeatable: true,
        help: """
          Open this view model first, as HANDLE. Repeat it for more. Default: the first view model \
          of each plugin.
          """),
      CommandOption(
        "config", "JSON|@FILE", isRepeatable: true,
        help: """
          The config of a view model, or @ and the name of a file with it. Repeat it in the order \
          of --view-model.
          """),
      CommandOption(
        "flow", "FILE",
        help: """
          Open the start of the flow FILE, and follow signals as it says. With --view-model, those \
          open instead of the start.
          """),
    ])

  fileprivate static let runLines = OptionSection(
    title: "Input and output",
    options: [
      CommandOption("script", "FILE", help: "Read the lines from FILE instead of standard input."),
      CommandOption(
        flag: "keep-going",
        help: """
          Report a mistake in a line, such as an unknown input, and go on. Without it, the \
          session ends, unless the line has a "seq".
          """),
      CommandOption(
        flag: "watch",
        help: """
          Reload a plugin when its library changes, play the session again, and show the outputs \
          that differ. If the new build fails, the old one goes on.
          """),
      CommandOption(
        "build", "COMMAND",
        help: """
          With --watch: run COMMAND with /bin/sh first, and again when a source in the current \
          folder changes.
          """),
      CommandOption(
        "record", "FILE",
        help: "Write the session to a new FILE while it happens, as a transcript without secrets."),
      CommandOption(
        "record-header", "NAME", isRepeatable: true,
        help: """
          Record the header NAME of http responses, besides the usual ones. Plugins get only the \
          recorded headers.
          """),
      CommandOption(
        "html", "PAGE",
        help: """
          At the end, also after a crash, write a page to PAGE that shows the session in a browser.
          """),
      CommandOption(
        "format", oneOf: ["text", "jsonl"],
        help: """
          Write text for people, or JSON Lines for programs. Default: text on a terminal, JSON \
          Lines elsewhere.
          """),
      CommandOption(
        flag: "steps",
        help: "In JSON Lines: begin each step with a line that says what makes it happen."),
    ])

  fileprivate static let runWorld = OptionSection(
    title: "What the plugin sees of the world",
    options: [
      CommandOption(
        "effect", "NAME=COMMAND|none", isRepeatable: true,
        help: """
          Let COMMAND answer requests of the effect NAME; it reads and writes JSON Lines. With \
          none, only input lines answer them, even http.
          """),
      CommandOption(
        "secret", "[PLUGIN:]NAME=ENV", isRepeatable: true,
        help: """
          Replace "$secret:NAME" in configs by the variable ENV, and the value in output by \
          SECRET_NAME. With PLUGIN, only that plugin gets the value.
          """),
      CommandOption(
        "store", "PATH|memory",
        help: """
          Keep the values that plugins store in a file, or (default) in memory until the session \
          ends.
          """),
      CommandOption(
        "store-adopt", "ID", isRepeatable: true,
        help: """
          Give the plugin ID the values that another library stored under this id. Without it, \
          vmhost doesn't load such a plugin.
          """),
      CommandOption(
        "clock", oneOf: ["live", "virtual"],
        help: """
          With live (default), time passes by itself. With virtual, it passes only with lines such \
          as + 300ms, without waiting.
          """),
      CommandOption("seed", "N", help: "The seed of all randomness, a whole number from 0."),
      CommandOption(
        "time", "ISO8601",
        help: "The time at which the session begins, as in 2026-01-31T12:00:00Z."),
      CommandOption("locale", "NAME", help: "The user's locale, as in en_US."),
      CommandOption("time-zone", "NAME", help: "The user's time zone, as in Europe/Vienna."),
    ])

  fileprivate static let runPlugins = OptionSection(
    title: "Plugins",
    options: [
      pluginPath,
      lockFile, stepTimeout, limit,
    ] + isolation + [
      CommandOption(
        flag: "backtrace",
        help: """
          If a plugin crashes or hangs, send it the same events again without confinement, and \
          show where. Only for plugins that you trust.
          """),
      CommandOption(
        flag: "timings",
        help: """
          Show on standard error how long each step takes, and at the end the slowest. Inputs are \
          delivered one by one.
          """),
    ])

  fileprivate static let describe = Command(
    name: "describe",
    summary: """
      Shows the inputs and outputs of a plugin's view models, or the actions of a flow, or writes \
      types.
      """,
    details: "",
    positional: Positional(
      placeholder: "PLUGIN", isRequired: false, isRepeatable: true,
      help: pluginHelp + """
         With --flow, any plugins that the flow is checked with; for types, all plugins of the \
        front end.
        """),
    sections: [
      OptionSection(
        title: "Options",
        options: [
          CommandOption(
            "flow", "FILE",
            help: """
              Show the flow FILE instead: the signals that open, close or feed view models. \
              Plugins are needed only to check its names.
              """),
          CommandOption(
            "format", "FORMAT",
            oneOf: [
              "text", "json", "markdown", "mermaid", "typescript", "python", "json-schema",
            ],
            help: """
              text (default), json, markdown (of a plugin), mermaid (a chart of a flow); or types \
              for a front end: typescript, python, json-schema.
              """),
          pluginPath,
          lockFile,
        ] + isolation)
    ],
    examples: [
      "List the inputs and outputs of a plugin:":
        "vmhost describe movies.so",
      "Write its reference page:":
        "vmhost describe movies.so --format markdown > movies.md",
      "Check and draw a flow:":
        "vmhost describe movies.so --flow movies.json --format mermaid",
      "Let a compiler check a front end:":
        "vmhost describe movies.so --format typescript > movies.ts",
    ])

  fileprivate static let lock = Command(
    name: "lock",
    summary: "Writes the ids and hashes of plugins, for --lock.",
    details: """
      It loads the plugins. The output has their ids and versions, and the SHA-256 of each library \
      and of the libraries beside it, but no paths of this machine.
      """,
    positional: Positional(placeholder: "PLUGIN", isRepeatable: true, help: pluginHelp),
    sections: [OptionSection(title: "Options", options: [pluginPath] + isolation)],
    examples: [
      "Lock the plugins of a product:":
        "vmhost lock movies.so account.so > plugins.lock"
    ])

  fileprivate static let doctor = Command(
    name: "doctor",
    summary: "Lists the layers of confinement that this machine has.",
    details: "",
    positional: nil,
    sections: [],
    examples: [
      "See which layers are missing, and why:":
        "vmhost doctor"
    ])
}
