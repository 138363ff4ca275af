import HostCore

extension CommandTable {
  /// The command line of vmhost.
  static let vmhost = CommandTable(
    program: "vmhost",
    summary: """
      Runs view models that ship as loadable plugins: it sends them input events and shows the \
      output events that come back.
      """,
    version: HostVersion.number,
    commands: [.run, .replay, .test, .mergeReports, .describe, .lock, .doctor])
}

extension Command {
  static let pluginPath = CommandOption(
    "plugin-path", "DIR", isRepeatable: true,
    help: """
      Also look for plugins in DIR, before the folders in the VMHOST_PLUGIN_PATH variable. Repeat \
      it for more folders.
      """)

  static let stepTimeout = CommandOption(
    "step-timeout", "DURATION",
    help: """
      Give up on a plugin that computes for longer than this at one event, as in 5s. Without it: \
      10s.
      """)

  static let limit = CommandOption(
    "limit", "NAME=VALUE", isRepeatable: true,
    help: """
      How much one event may cost vmhost: its events (without this option: 100000), bytes (200 \
      MB) and requests (100000); and a plugin: its open-requests (10000), waiting timers \
      (100000), and storage (100 MB). Repeat it for more limits.
      """)

  static let lockFile = CommandOption(
    "lock", "FILE",
    help: """
      Load only the libraries that FILE has, as "vmhost lock" writes it: their SHA-256, and those \
      of the libraries beside them, are compared before they are loaded.
      """)

  static let isolation = [
    CommandOption(
      "sandbox", oneOf: SandboxMode.allCases.map(\.rawValue),
      help: """
        How each plugin's process is kept from the rest of the machine: best-effort (without this \
        option) applies every layer that there is, and says which are missing; standard refuses \
        to run without them, namespaces excepted; strict demands those, too; off applies none. \
        "vmhost doctor" lists the layers. The variable VMHOST_SANDBOX sets the least mode.
        """),
    CommandOption(
      "memory", "SIZE", help: "How much memory a plugin may take, as in 512M. Without it: 1G."),
    CommandOption(
      flag: "in-process",
      help: """
        Load plugins into vmhost itself, for a debugger: nothing is confined, and what crashes a \
        plugin crashes vmhost.
        """),
  ]

  private static let pluginHelp = """
    The plugin: a path, or a name such as movies.so, which is also found as libmovies.so, in the \
    plugin folders and beside vmhost.
    """

  fileprivate static let run = Command(
    name: "run",
    summary: "Runs plugins live, from a terminal, a pipe or a script.",
    details: """
      At a terminal, type an input and press Enter; what the view model answers appears above. \
      Ctrl-D ends the session. From a pipe or a script the same lines are read until they end.

        > didSearch "batman"   an input and its value, which is JSON
        + 300ms                time passes
        + idle                 time passes until nothing is left to wait for
        # anything             a comment

      A line may also be a JSON object, as in {"name":"didSearch","value":"batman"}.
      """,
    positional: Positional(
      placeholder: "PLUGIN", isRequired: false, isRepeatable: true,
      help: pluginHelp + """
         Several plugins share one session. A script or a pipe needs none here: its \
        "@plugin movies.so" lines do the same.
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

  private static let runModels = OptionSection(
    title: "View models",
    options: [
      CommandOption(
        "view-model", "ID[=HANDLE]", isRepeatable: true,
        help: """
          Open this view model at the start, under the name HANDLE. Repeat it to open several. \
          Without it, the first view model of each plugin opens.
          """),
      CommandOption(
        "config", "JSON|@FILE", isRepeatable: true,
        help: """
          The config of a view model: JSON, or @ and the name of a file that holds JSON. Repeat it \
          as often as --view-model, in the same order.
          """),
      CommandOption(
        "flow", "FILE",
        help: """
          Open, close and feed view models where signals lead, as the flow FILE says, whose start \
          opens first. With --view-model, those open instead of the start.
          """),
    ])

  private static let runLines = OptionSection(
    title: "Input and output",
    options: [
      CommandOption("script", "FILE", help: "Read the inputs from FILE, not from standard input."),
      CommandOption(
        flag: "keep-going",
        help: """
          Go on after a mistake in a line, such as an unknown input, and say what is wrong with it \
          among the outputs. Without it, that ends the session, unless the line has a "seq".
          """),
      CommandOption(
        "record", "FILE",
        help: """
          Write the session into a new FILE while it happens, as a transcript that plays it again. \
          No secret is in it.
          """),
      CommandOption(
        "record-header", "NAME", isRepeatable: true,
        help: """
          Keep the header NAME of http responses while recording, besides the ordinary ones. \
          Plugins see no others then, and the recording has no others.
          """),
      CommandOption(
        "format", oneOf: ["text", "jsonl"],
        help: """
          Write text for people, or JSON Lines (one object a line) for programs. Without it: text \
          on a terminal, JSON Lines in a pipe.
          """),
    ])

  private static let runWorld = OptionSection(
    title: "What the plugin sees of the world",
    options: [
      CommandOption(
        "effect", "NAME=COMMAND|none", isRepeatable: true,
        help: """
          Let a program answer requests of the kind NAME. COMMAND is started once; it reads \
          requests and writes replies as JSON Lines. With none, only lines answer them, also \
          those that vmhost or vmhost-http would answer.
          """),
      CommandOption(
        "secret", "[PLUGIN:]NAME=ENV", isRepeatable: true,
        help: """
          Put the value of the environment variable ENV where a config says "$secret:NAME". \
          Output shows SECRET_NAME in its place. With PLUGIN, only the plugin of this id gets it; \
          of several plugins, only such a one gets a secret that nothing but its default config \
          names.
          """),
      CommandOption(
        "store", "PATH|memory",
        help: """
          Where plugins keep what they store: a file that outlives the session, or memory, which \
          is forgotten at its end.
          """),
      CommandOption(
        "store-adopt", "ID", isRepeatable: true,
        help: """
          Let the plugin ID have what another library has kept under this id in the store. \
          Without it, such a plugin isn't loaded, unless it was only built again or moved.
          """),
      CommandOption(
        "clock", oneOf: ["live", "virtual"],
        help: """
          With live, time passes as it does on the wall. With virtual, it passes only where the \
          input says so (+ 300ms), and waiting takes no time.
          """),
      CommandOption("seed", "N", help: "The seed of all randomness, a whole number from 0."),
      CommandOption(
        "time", "ISO8601",
        help: "The time at which the session begins, as in 2026-01-31T12:00:00Z."),
      CommandOption("locale", "NAME", help: "The user's locale, as in en_US."),
      CommandOption("time-zone", "NAME", help: "The user's time zone, as in Europe/Vienna."),
    ])

  private static let runPlugins = OptionSection(
    title: "Plugins",
    options: [
      pluginPath,
      lockFile, stepTimeout, limit,
    ] + isolation + [
      CommandOption(
        flag: "backtrace",
        help: """
          When a plugin crashes or hangs, do all that it was asked once more, and show where it \
          happens. Nothing confines the plugin then: use it only for one that you trust.
          """)
    ])

  fileprivate static let describe = Command(
    name: "describe",
    summary: """
      Shows what a plugin holds, its view models with their inputs and outputs; or where a flow \
      leads.
      """,
    details: "",
    positional: Positional(
      placeholder: "PLUGIN", isRequired: false, isRepeatable: true,
      help: pluginHelp + """
         One; with --flow, those that the flow is checked with, which may be none; for the types \
        of a front end, all that it uses.
        """),
    sections: [
      OptionSection(
        title: "Options",
        options: [
          CommandOption(
            "flow", "FILE",
            help: """
              Show the flow FILE instead: which signal opens, closes or feeds what. Without a \
              PLUGIN nobody knows whether its view models and their ports exist.
              """),
          CommandOption(
            "format", "FORMAT",
            oneOf: [
              "text", "json", "markdown", "mermaid", "typescript", "python", "json-schema",
            ],
            help: """
              How to write it: text (without this option), json for programs, markdown to publish \
              (of a plugin), or mermaid, a flowchart that GitHub draws (of a flow). Or the types \
              of a front end for these plugins: typescript and python are modules, json-schema is \
              a JSON Schema. With --flow, they know which view model each handle has.
              """),
          pluginPath,
          lockFile,
        ] + isolation)
    ],
    examples: [
      "See what you can send to a plugin:":
        "vmhost describe movies.so",
      "Write its reference page:":
        "vmhost describe movies.so --format markdown > movies.md",
      "Draw a flow, once its names are checked:":
        "vmhost describe movies.so --flow movies.json --format mermaid",
      "Let a compiler check a front end:":
        "vmhost describe movies.so --format typescript > movies.ts",
    ])

  fileprivate static let lock = Command(
    name: "lock",
    summary: "Writes which libraries plugins are, so that --lock loads no others.",
    details: """
      The plugins are loaded. What is written has their ids and versions, and the SHA-256 of each \
      library and of those beside it, but no paths of this machine.
      """,
    positional: Positional(placeholder: "PLUGIN", isRepeatable: true, help: pluginHelp),
    sections: [OptionSection(title: "Options", options: [pluginPath] + isolation)],
    examples: [
      "Lock the plugins of a product, and run no others:":
        "vmhost lock movies.so account.so > plugins.lock"
    ])

  fileprivate static let doctor = Command(
    name: "doctor",
    summary: "Tells what this machine offers to confine plugins with.",
    details: "",
    positional: nil,
    sections: [],
    examples: [
      "See which layers are on, and why not:":
        "vmhost doctor"
    ])
}
