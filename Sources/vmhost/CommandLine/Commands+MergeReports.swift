extension Command {
  static let mergeReports = Command(
    name: "merge-reports",
    summary: "Puts the reports of a run's shards together.",
    details: """
      It shows the summary that the run would have had if it had not been divided, and ends with \
      its status.
      """,
    positional: Positional(
      placeholder: "FILE", isRepeatable: true,
      help: "What \"vmhost test --shard --events FILE\" wrote: the files of all shards of one run."
    ),
    sections: [
      OptionSection(
        title: "Options",
        options: [
          CommandOption("junit", "FILE", help: "Write all results to FILE, as JUnit XML."),
          CommandOption("events", "FILE", help: "Write all results to FILE, as JSON Lines."),
          CommandOption(
            "timings", "FILE",
            help: """
              Update the times in FILE, by which "vmhost test --shard --timings FILE" makes the \
              shards of the next run take equally long.
              """),
          CommandOption(
            flag: "partial",
            help: """
              Merge what there is, also where shards are missing or stopped early. The summary \
              says what is missing, the status only how the rest went.
              """),
        ])
    ],
    examples: [
      "Merge four shards, for a CI system and for the next run:":
        "vmhost merge-reports shard-*.jsonl --junit tests.xml --timings timings.json",
      "See how far a run came of which a machine was lost:":
        "vmhost merge-reports shard-*.jsonl --partial",
    ])
}
