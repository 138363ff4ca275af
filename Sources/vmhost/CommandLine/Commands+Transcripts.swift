extension Command {
  private static let strictPlugins = CommandOption(
    flag: "strict-plugins",
    help: """
      A transcript fails if a plugin isn't the library that it was recorded with. Without it, that \
      is only said.
      """)

  static let replay = Command(
    name: "replay",
    summary: "Plays transcripts again and prints every event.",
    details: """
      Time is virtual, replies come from the file, and nothing real is touched. It prints up \
      to the first difference from what the file says.
      """,
    positional: Positional(
      placeholder: "FILE", isRepeatable: true,
      help: "A transcript, as \"vmhost run --record FILE\" writes it, or as you do."),
    sections: [
      OptionSection(
        title: "Options",
        options: [
          CommandOption(
            "speed", "real|N",
            help: """
              Let time pass as it did when the session was recorded, or N times faster. Without \
              it, waiting takes no time.
              """),
          CommandOption(
            flag: "keep-going",
            help: "Print what follows a difference, too, and play the files that follow."),
          CommandOption(
            "format", oneOf: ["text", "jsonl"],
            help: """
              Write text for people, or JSON Lines (one object a line) for programs. Without it: \
              text on a terminal, JSON Lines in a pipe.
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

  static let test = Command(
    name: "test",
    summary: "Plays transcripts and tells where plugins do anything else than these say.",
    details: """
      Each step must emit exactly the lines that follow it, in order. A transcript without such \
      lines is "unverified", not passed.
      """,
    positional: Positional(
      placeholder: "PATH", isRepeatable: true,
      help: "A transcript, or a folder: all *.vmt files in it and below."),
    sections: [testChoice, testUpdate, testReports, testWorkers],
    examples: [
      "Test all of them:":
        "vmhost test Tests/Transcripts",
      "Accept what plugins do now, after a look at the differences:":
        "vmhost test Tests/Transcripts --update",
      "Decide on each difference, however many transcripts have it:":
        "vmhost test Tests/Transcripts --review",
      "Test on one of four machines, with reports for the CI server:":
        "vmhost test Tests --shard 2/4 --junit junit.xml --events shard-2.jsonl",
    ])

  private static let testChoice = OptionSection(
    title: "Which and how",
    options: [
      CommandOption(
        "filter", "PATTERN", isRepeatable: true,
        help: """
          Only transcripts whose path has PATTERN in it, as whole names: search is search.vmt, and \
          also all that is in a folder of this name. There may be several names, as in \
          movies/search, and the wildcards *, ?, [a-z] and **, which stands for any folders. \
          Repeat it for more transcripts.
          """),
      CommandOption(
        "exclude", "PATTERN", isRepeatable: true, help: "None whose path has PATTERN in it."),
      CommandOption(
        "tag", "NAME", isRepeatable: true,
        help: "Only those with the tag NAME (@tags). Repeat it for those with another one."),
      CommandOption(
        "exclude-tag", "NAME", isRepeatable: true, help: "None with the tag NAME."),
      CommandOption(
        flag: "last-failed",
        help: """
          Only those that failed when they were last run from this folder; all, if none did.
          """),
      CommandOption(
        "shard", "I/N",
        help: """
          Only the I-th of N parts, of about the same length where --timings tells how long each \
          transcript takes.
          """),
      CommandOption(
        flag: "include-skipped", help: "Play also those that say not to (@skip)."),
      CommandOption(
        flag: "list", orOneOf: ["jsonl"],
        help: """
          Play nothing, but list what would be played, a path a line; with =jsonl, as JSON Lines \
          with the tags.
          """),
      CommandOption("max-failures", "N", help: "Stop after N that don't pass."),
      CommandOption(flag: "fail-fast", help: "Stop at the first that doesn't pass."),
      CommandOption(
        "repeat", "N",
        help: """
          Play each N times, in processes that differ in what must not matter, and compare: what \
          depends on chance is nondeterministic.
          """),
    ])

  private static let testUpdate = OptionSection(
    title: "Accepting",
    options: [
      CommandOption(
        flag: "update", orOneOf: ["patch"],
        help: """
          Rewrite in each transcript what differs, and only that, after showing it; fill in what \
          a script emits that expects nothing. If nothing else is wrong, the status is 0, since \
          nothing differs any more. A transcript that fails in another way, or emits something \
          else when it is played again, stays as it is, and the status says so. With =patch, no \
          file is changed: standard output is a patch for "git apply" or "patch -p1", and the \
          status is 1 if it isn't empty. Refused where the variable CI is set.
          """),
      CommandOption(
        flag: "review",
        help: """
          Show what differs and ask about each change, once for all transcripts that have it: \
          accept, reject or skip it. Needs a terminal; refused where the variable CI is set.
          """),
      CommandOption(
        flag: "list-changes",
        help: "Show the changes that --review asks about, and the transcripts of each."),
      CommandOption(
        "rename", "KIND:OLD=NEW", isRepeatable: true,
        help: """
          Rename in the transcripts what a plugin has renamed, then play those that were \
          rewritten: input:VIEWMODEL.OLD=NEW, output:VIEWMODEL.OLD=NEW, view-model:OLD=NEW, \
          handle:OLD=NEW. Refused where the variable CI is set.
          """),
    ])

  private static let testReports = OptionSection(
    title: "Reports",
    options: [
      CommandOption(
        flag: "verbose", short: "v",
        help: "Show each failure of each transcript, even if earlier ones fail in the same way."),
      CommandOption("slowest", "N", help: "List the N that took longest."),
      CommandOption(
        flag: "show-logs",
        help: """
          Show what plugins log and print in all transcripts, each line below its step. Without \
          it: up to the first failure of those that fail.
          """),
      CommandOption("junit", "FILE", help: "Write a JUnit report."),
      CommandOption(
        "events", "FILE", help: "Write each result as JSON Lines, as soon as it is there."),
      CommandOption(
        "timings", "FILE",
        help: """
          How long each transcript takes: with --shard, read to divide them; without, brought up \
          to date at the end.
          """),
      CommandOption(
        flag: "port-coverage",
        help: """
          List the inputs, states and signals that no transcript touches. A state that is only \
          shown on opening counts where a line expects it.
          """),
      CommandOption(
        "port-coverage-file", "FILE", help: "Write all of them as JSON, touched or not."),
      CommandOption(
        "port-coverage-min", "PERCENT",
        help: "If fewer of them are touched, say so, and end with status 1. Not with --shard."),
    ])

  private static let testWorkers = OptionSection(
    title: "Plugins",
    options: [
      CommandOption(
        "jobs", short: "j", "N", help: "Play N at a time. Without it: one a processor."),
      CommandOption(
        "timeout", "DURATION",
        help: "Give up on a transcript that takes longer than this, as in 5s. Without it: 60s."),
      pluginPath, lockFile, strictPlugins,
      CommandOption(
        flag: "allow-outside",
        help: """
          Let transcripts name plugins and flows outside of the current folder and the folders \
          given: those of the arguments, --plugin-path and VMHOST_PLUGIN_PATH.
          """),
      stepTimeout, limit,
    ] + isolation)
}
