extension Command {
  static let inspect = Command(
    name: "inspect",
    summary: "Opens a page in a browser that drives plugins live.",
    details: """
      The page has a form for each input, shows states and signals as they come, and lets you \
      answer requests, stop time, go back, and save what you did as a transcript. Only a browser \
      on this machine that has the address can open it. The session ends with the page.
      """,
    positional: Positional(
      placeholder: "PLUGIN", isRepeatable: true,
      help: pluginHelp + """
         Several plugins share one session.
        """),
    sections: [
      runModels,
      OptionSection(
        title: "The session",
        options: [
          CommandOption(
            flag: "live",
            help: """
              Ask the providers at once, instead of holding requests until the page says so.
              """)
        ]
          + run.options(named: [
            "effect", "secret", "store", "store-adopt", "seed", "time", "locale", "time-zone",
            "watch", "build",
          ])),
      OptionSection(
        title: "Plugins",
        options: run.options(named: [
          "plugin-path", "lock", "step-timeout", "limit", "sandbox", "memory",
        ])),
    ],
    examples: [
      "Try out a plugin:":
        "vmhost inspect movies.so",
      "Follow a flow, and load each new build:":
        #"vmhost inspect movies.so --flow movies.json --watch --build "make""#,
    ])

  /// Some of its options, in this order.
  private func options(named names: [String]) -> [CommandOption] {
    names.map { name in
      guard let option = option(named: name) else { preconditionFailure("no option \(name)") }
      return option
    }
  }
}
