extension Command {
  static let completions = Command(
    name: "completions",
    summary: "Prints a script that completes vmhost's command lines in a shell.",
    details: """
      The script knows commands, options, their values, plugins, transcripts, and the view models \
      of the plugins that the line names.
      """,
    positional: Positional(
      placeholder: "SHELL", isRepeatable: false, allowed: ["bash", "zsh"],
      help: "The shell: bash or zsh."),
    sections: [],
    examples: [
      "Install it for bash, with the package bash-completion:":
        "vmhost completions bash > ~/.local/share/bash-completion/completions/vmhost",
      "Install it for zsh, in a folder of fpath:":
        "vmhost completions zsh > ~/.zsh/functions/_vmhost",
    ])

  static let manual = Command(
    name: "manual",
    summary: "Writes the manual pages into a folder.",
    details: "A page for vmhost, vmhost.1, and one for each command, such as vmhost-run.1.",
    positional: Positional(
      placeholder: "FOLDER", isRepeatable: false,
      help: "The folder, which must exist. Pages in it are replaced."),
    sections: [],
    examples: [
      "Write them, so that \"man ./vmhost-run.1\" shows one:":
        "vmhost manual ."
    ])

  /// What the scripts of `completions` ask.
  static let complete = Command(
    name: "complete",
    summary: "Tells a completion script what may stand at the cursor.",
    details: "",
    positional: Positional(
      placeholder: "TEXT", isRepeatable: true,
      help: """
        The command line up to the cursor; what follows it; and in bash, the characters at which \
        a word begins.
        """),
    sections: [], examples: [:], isHidden: true)
}
