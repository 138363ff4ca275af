extension Command {
  static let mergeReports = Command(
    name: "merge-reports",
    summary: "Merges the reports of a run's shards.",
    details: """
      It shows the summary of the whole run, and ends with its status.
      """,
    positional: Positional(
      placeholder: "FILE", isRepeatable: true,
      help: """
        The files of all shards of one run: from "vmhost test --shard", the events (--events FILE) \
        or the page (--html PAGE) of each.
        """),
    sections: [
      OptionSection(
        title: "Options",
        options: [
          CommandOption("junit", "FILE", help: "Write all results to FILE as JUnit XML."),
          CommandOption("events", "FILE", help: "Write all results to FILE as JSON Lines."),
          CommandOption(
            "html", "PAGE",
            help: """
              Write a page to PAGE. It has the sessions of the failures if FILEs are pages.
              """),
          CommandOption(
            "timings", "FILE",
            help: """
              Update the times in FILE, for "vmhost test --shard --timings FILE" of the next run.
              """),
          CommandOption(
            flag: "partial",
            help: """
              Merge the files even if shards are missing or stopped early. The status is that of \
              the others.
              """),
        ])
    ],
    examples: [
      "Merge four shards, for a CI system and for the next run:":
        "vmhost merge-reports shard-*.jsonl --junit tests.xml --timings timings.json",
      "See the results of a run that lost a machine:":
        "vmhost merge-reports shard-*.jsonl --partial",
    ])
}
