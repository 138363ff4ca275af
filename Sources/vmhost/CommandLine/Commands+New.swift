extension Command {
  static let new = Command(
    name: "new",
    summary: "Makes a project that builds, runs and passes its first test.",
    details: """
      The project is a folder NAME with a view model that counts, a transcript that tests it, and \
      a workflow for CI. Its README has the commands to build, run and test it.
      """,
    positional: Positional(
      placeholder: "NAME", isRepeatable: false,
      help: """
        The name of the folder, the plugin and its library: letters (A to Z), digits, "-" and "_", \
        with a letter first.
        """),
    sections: [
      OptionSection(
        title: "Options",
        options: [
          CommandOption(
            "language", oneOf: ["swift", "c", "cpp", "rust"],
            help: """
              The language: swift (default, built by SwiftPM), c or cpp (built by make), or rust \
              (built by cargo).
              """),
          CommandOption(
            "folder", "DIR", help: "Make the project in DIR. Default: the current folder."),
        ]),
      OptionSection(
        title: "The vmhost package of a project in Swift",
        options: [
          CommandOption(
            "path", "DIR",
            help: """
              The package DIR, such as a clone. Default: the one installed with this vmhost, or \
              the clone that it was built in.
              """),
          CommandOption("url", "URL", help: "The repository URL."),
          CommandOption(
            "version", "VERSION", help: "The version in the repository, or a later one."),
        ]),
    ],
    examples: [
      "Make one in Swift, and one in Rust beside it:":
        "vmhost new my-cart && vmhost new my-shop --language rust"
    ])
}
