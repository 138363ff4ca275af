/// A new project: its files, and how to use them.
struct ProjectTemplate {
  let name: ProjectName
  /// The plugin's file, as transcripts name it.
  let plugin: String
  /// The folder in which the build puts it.
  let products: String
  /// The command that builds it.
  let build: String
  /// What this language adds to the files that all projects have.
  let files: [(path: String, bytes: [UInt8])]
  let ignored: [String]
  /// Where CI takes vmhost from.
  var repository: (url: String, version: String)?
  /// The variable that names a clone of vmhost, if the build needs one.
  var packageVariable: String?
  /// What builds it, for the README; and what its files are.
  let tools: String
  let notes: String

  /// What builds, runs and tests it, with a `program` that is vmhost.
  func commands(_ program: String) -> [String] {
    [
      build, "\(program) run \(products)/\(plugin)",
      "\(program) test Transcripts --plugin-path \(products)",
    ]
  }

  var allFiles: [(path: String, bytes: [UInt8])] {
    files + [
      Self.file("Transcripts/counting.vmt", transcript),
      Self.file("README.md", readme),
      Self.file(".gitignore", ignored.map { "\($0)\n" }.joined()),
      Self.file(".github/workflows/test.yml", workflow),
    ]
  }

  static func file(_ path: String, _ text: String) -> (path: String, bytes: [UInt8]) {
    (path, Array(text.utf8))
  }

  private var transcript: String {
    """
    vmt 1
    # A counter counts up and down; a reset makes it 0 again, and tells so.
    @plugin \(plugin)
    @open \(name.text).counter
    < count 0
    > add 2
    < count 2
    > add -3
    < count -1
    > reset
    < count 0
    < wasReset
    # Nothing is left to reset.
    > reset

    """
  }

  private var readme: String {
    """
    # \(name.text)

    A view model that \(link) runs: a counter, to begin with.

    ```sh
    \(commands("vmhost").joined(separator: "\n"))
    ```

    The second command gives a prompt: type `add 2`, then Ctrl-D to end. The third plays the
    transcripts in `Transcripts` and shows what differs from them; `--update` accepts it.

    ## What you need

    \(needs)

    \(notes)

    ## CI

    `.github/workflows/test.yml` builds vmhost and this project, and plays the transcripts.\(ciNote)

    """
  }

  private var link: String { repository.map { "[vmhost](\($0.url))" } ?? "vmhost" }

  private var needs: String {
    "`vmhost`\(repository.map { " \($0.version) or later" } ?? ""), on the path. \(tools)"
  }

  private var ciNote: String {
    repository == nil
      ? " Say where vmhost is in the variable\n`VMHOST_REPOSITORY` of the repository on GitHub: "
        + "`owner/name`."
      : ""
  }

  private var workflow: String {
    """
    name: test
    on: [push, pull_request]
    jobs:
      test:
        runs-on: ubuntu-latest\(environment)
        steps:
          - uses: actions/checkout@v4
    \(checkout)
          - run: swift build -c release --product vmhost --package-path vmhost
          - run: \(build)
          - run: >
              vmhost/.build/release/vmhost test Transcripts
              --plugin-path \(products) --junit tests.xml
          - uses: actions/upload-artifact@v4
            if: ${{ !cancelled() }}
            with:
              name: tests
              path: tests.xml

    """
  }

  private var environment: String {
    guard let packageVariable else { return "" }
    return "\n    env:\n      \(packageVariable): ${{ github.workspace }}/vmhost"
  }

  private var checkout: String {
    if let repository {
      return "      - run: git clone --depth 1 --branch \(repository.version) "
        + "\(repository.url) vmhost"
    }
    return """
            - uses: actions/checkout@v4
              with:
                repository: ${{ vars.VMHOST_REPOSITORY }}
                path: vmhost
      """
  }
}
