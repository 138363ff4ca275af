extension Command {
  private static let strictPlugins = CommandOption(
    flag: "strict-plugins",
    help: """
      Fail a transcript if a plugin isn't the library that it was recorded with. Without it, \
      vmhost only says so.
      """)

  static let replay = Command(
    name: "replay",
    summary: "Plays transcripts again and prints every event.",
    details: """
      Time is virtual, replies come from the file, and nothing real happens. It prints up to the \
      first difference from the file.
      """,
    positional: Positional(
      placeholder: "FILE", isRepeatable: true,
      help: "A transcript, recorded by \"vmhost run --record FILE\" or written by you."),
    sections: [
      OptionSection(
        title: "Options",
        options: [
          CommandOption(
            "speed", "real|N",
            help: """
              Let time pass as in the recorded session, or N times faster. Default: no waiting.
              """),
          CommandOption(
            flag: "keep-going",
            help: "Also print the events after a difference, and play the remaining files."),
          CommandOption(
            "format", oneOf: ["text", "jsonl"],
            help: """
              Write text for people, or JSON Lines for programs. Default: text on a terminal, JSON \
              Lines elsewhere.
              """),
          pluginPath, lockFile, strictPlugins, stepTimeout, limit,
        ] + isolation)
    ],
    examples: [
      "See what happened in a session:":
        "vmhost replay search.vmt",
      "Watch it at the pace at which it happened:":
        "vmhost replay search.vmt --speed real",
    ])

  static let view = Command(
    name: "view",
    summary: "Writes a page that shows transcripts in a browser.",
    details: """
      The page is one file that needs no network: open it, send it, or keep it with a CI run. It \
      shows the steps, the states after each, and what a plugin did otherwise than the file says. \
      Without the plugins it shows what the file says.
      """,
    positional: Positional(
      placeholder: "FILE", isRepeatable: true, help: "A transcript, such as a recording."),
    sections: [
      OptionSection(
        title: "Options",
        options: [
          CommandOption(
            "output", short: "o", "PAGE",
            help: """
              Write the page to PAGE; - for standard output. Default: search.html in the current \
              folder for search.vmt.
              """),
          CommandOption(
            flag: "unplayed", help: "Load no plugin, and show what the files say."),
          pluginPath, lockFile, stepTimeout, limit,
        ] + isolation)
    ],
    examples: [
      "Look at a recording:":
        "vmhost view search.vmt -o search.html"
    ])

  static let test = Command(
    name: "test",
    summary: "Plays transcripts and shows where plugins differ from them.",
    details: """
      Each step must emit exactly the lines that follow it, in order. A transcript without such \
      lines is "unverified", not passed.
      """,
    positional: Positional(
      placeholder: "PATH", isRepeatable: true,
      help: "A transcript, or a folder with *.vmt files in it and below."),
    sections: [testChoice, testUpdate, testReports, testWorkers],
    examples: [
      "Test all of them:":
        "vmhost test Tests/Transcripts",
      "Show the differences and accept them all:":
        "vmhost test Tests/Transcripts --update",
      "Decide on each difference:":
        "vmhost test Tests/Transcripts --review",
      "Build and test after each edit:":
        "vmhost test Tests/Transcripts --watch --build \"swift build\"",
      "Test on one of four machines, with reports for the CI server:":
        "vmhost test Tests --shard 2/4 --junit junit.xml --events shard-2.jsonl",
    ])

  private static let testChoice = OptionSection(
    title: "Transcripts",
    options: [
      CommandOption(
        "filter", "PATTERN", isRepeatable: true,
        help: """
          Only transcripts with PATTERN in their path, in whole names: search, movies/search. \
          Wildcards: *, ?, [a-z], and ** for any folders.
          """),
      CommandOption(
        "exclude", "PATTERN", isRepeatable: true,
        help: "No transcripts with PATTERN in their path."),
      CommandOption(
        "tag", "NAME", isRepeatable: true,
        help: "Only transcripts with the tag NAME (@tags). Repeat it for more tags."),
      CommandOption(
        "exclude-tag", "NAME", isRepeatable: true, help: "No transcripts with the tag NAME."),
      CommandOption(
        flag: "last-failed",
        help: """
          Only transcripts that failed when they last ran from this folder, or all if none did.
          """),
      CommandOption(
        "shard", "I/N",
        help: "Only the I-th of N parts. With --timings, all parts take about equally long."),
      CommandOption(
        flag: "include-skipped", help: "Also play transcripts with a @skip line."),
      CommandOption(
        flag: "list", orOneOf: ["jsonl"],
        help: """
          List the transcripts instead of playing them, one path per line; with =jsonl, as JSON \
          Lines with their tags.
          """),
      CommandOption(
        flag: "watch",
        help: """
          Stay, and play transcripts again when they, their plugins or their flows change. Keys: \
          space plays all, f the failed ones, q ends.
          """),
      CommandOption(
        "build", "COMMAND",
        help: """
          With --watch: run COMMAND with /bin/sh first, and again when a source in the current \
          folder changes.
          """),
      CommandOption("max-failures", "N", help: "Stop after N transcripts that don't pass."),
      CommandOption(flag: "fail-fast", help: "Stop after the first transcript that doesn't pass."),
      CommandOption(
        "repeat", "N",
        help: """
          Play each transcript N times, in processes that differ on purpose. If the results \
          differ, it is nondeterministic.
          """),
    ])

  private static let testUpdate = OptionSection(
    title: "Accepting changes",
    options: [
      CommandOption(
        flag: "update", orOneOf: ["patch"],
        help: """
          Show the differences, and rewrite those lines in the files. With =patch, print a patch \
          instead (status 1 if any). Not in CI.
          """),
      CommandOption(
        flag: "review",
        help: """
          Show each change once, and ask at the terminal whether to accept, reject or skip it. Not \
          in CI.
          """),
      CommandOption(
        flag: "list-changes",
        help: "List the changes of --review with their transcripts."),
      CommandOption(
        "rename", "KIND:OLD=NEW", isRepeatable: true,
        help: """
          Rename in the transcripts, then play them: input:VIEWMODEL.OLD=NEW, \
          output:VIEWMODEL.OLD=NEW, view-model:OLD=NEW, handle:OLD=NEW. Not in CI.
          """),
    ])

  private static let testReports = OptionSection(
    title: "Reports",
    options: [
      CommandOption(
        flag: "verbose", short: "v",
        help: "Show each failure of each transcript, even if others fail in the same way."),
      CommandOption("slowest", "N", help: "List the N slowest transcripts."),
      CommandOption(
        flag: "show-logs",
        help: """
          Show the logs and prints of all transcripts. Default: those of failed ones, up to the \
          first failure.
          """),
      CommandOption("junit", "FILE", help: "Write a JUnit report to FILE."),
      CommandOption(
        "events", "FILE", help: "Write each result to FILE as JSON Lines, as it comes."),
      CommandOption(
        "html", "PAGE",
        help: """
          Write a page to PAGE: the results, what differs, and the sessions of the failures.
          """),
      CommandOption(
        "timings", "FILE",
        help: """
          Update the times of transcripts in FILE. With --shard, only read them to divide the \
          transcripts.
          """),
      CommandOption(
        flag: "port-coverage",
        help: "List the inputs, states and signals that no transcript touches."),
      CommandOption(
        "port-coverage-file", "FILE", help: "Write all ports to FILE as JSON, touched or not."),
      CommandOption(
        "port-coverage-min", "PERCENT",
        help: "End with status 1 if fewer ports are touched. Not with --shard."),
    ])

  private static let testWorkers = OptionSection(
    title: "Plugins",
    options: [
      CommandOption(
        "jobs", short: "j", "N", help: "Play N transcripts at a time. Default: one per processor."),
      CommandOption(
        "timeout", "DURATION",
        help: "Give up on a transcript that takes longer, as in 5s. Default: 60s."),
      pluginPath, lockFile, strictPlugins,
      CommandOption(
        flag: "allow-outside",
        help: """
          Let transcripts name plugins and flows outside of the current folder and the folders \
          that you name.
          """),
      stepTimeout, limit,
    ] + isolation)
}
