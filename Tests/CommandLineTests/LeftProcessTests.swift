import Foundation
import HostCore
import TestSupport
import Testing

/// What is left of the processes that a vmhost started: nothing, dead or alive.
struct LeftProcessTests {
  /// A run of vmhost for a shell, where `$V` is vmhost and `$K` is a session with effects.
  struct Run: CustomTestStringConvertible {
    let testDescription: String
    let script: String
    /// How often it is run. Together it is more than a hundred times.
    var count = 10

    init(_ name: String, count: Int = 10, _ script: String) {
      testDescription = name
      self.script = script
      self.count = count
    }
  }

  /// Starts the command `$1`, and sends it the signals `$2` and following once it has a child, each
  /// after it has probably taken the one before.
  private static let background = """
    interrupt() {
      $1 <in & process=$!
      until cat /proc/$process/task/*/children | grep -q .; do :; done
      shift
      for signal; do kill -$signal $process; read -r line </proc/$process/stat; done
      wait $process
    }
    mkfifo in; exec 3<>in

    """

  private static let runs = [
    Run("a session", "$V run echo.so movies.so </dev/null"),
    Run("a script", "$V run movies.so --script $EXAMPLES/search.vmt"),
    Run("a description", "$V describe movies.so"),
    Run("a replay", "$V replay $TRANSCRIPTS/movies/list-search.vmt"),
    Run("tests", count: 3, "$V test $TRANSCRIPTS/account --jobs 3"),
    Run("a failing test", "$V test $EXAMPLES/search.vmt"),
    Run("the doctor", "$V doctor"),
    Run("a plugin that isn't found after one that is", "$V run echo.so nothing.so"),
    Run("an unknown view model", "$V run echo.so --view-model nothing"),
    Run("a script that isn't there", "$V run echo.so --script nothing.vmt"),
    Run(
      "a crash", count: 5, "$V run brokenfixture.so --config '{\"fault\":\"crash-in-create\"}'"),
    Run(
      "a crash with a backtrace", count: 1,
      "$V run brokenfixture.so --config '{\"fault\":\"crash-in-create\"}' --backtrace"),
    Run("output that nobody reads", "yes '> say 1' | head -5000 | $V run echo.so | head -1"),
    Run("a description that nobody reads", "$V describe movies.so --format json | true"),
    Run("a signal in a session", background + "interrupt \"$V run echo.so hello.so\" TERM"),
    Run(
      "a signal while a plugin loads",
      background + "interrupt \"$V describe hangingfixture.so\" INT"),
    Run(
      "two signals while a plugin loads",
      background + "interrupt \"$V describe hangingfixture.so\" INT INT"),
    Run(
      "signals in a session that hangs",
      background + """
        echo '> go' >&3
        interrupt "$V run brokenfixture.so --config {\\"fault\\":\\"hang-in-send\\"}" INT INT
        """),
    Run("a provider", "echo '> locate {\"city\":\"a\"}' | $K --effect geo.locate='cat >/dev/null'"),
    Run(
      "a provider with children", count: 3,
      """
      echo '> locate {"city":"a"}' | $K --effect \
        geo.locate='sleep 1000 & (sleep 1000 &) ; trap "" TERM; cat >/dev/null; sleep 1000'
      """),
    Run(
      "a provider beside a plugin that hangs", count: 3,
      """
      printf '> locate {"city":"a"}\\n@plugin brokenfixture.so\\n%s\\n> broken.go\\n' \
        '@open broken as broken {"fault":"hang-in-send"}' \
        | $K --in-process --step-timeout 100ms --effect geo.locate='sleep 1000'
      """),
  ]

  @Test(arguments: runs)
  func `leaves no process where nobody reaps orphans`(_ run: Run) async throws {
    try await TemporaryDirectory.with { directory in
      let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().path
      let vmhost = try BuildProducts.executable("vmhost")
      let output = try await ChildProcess.run(
        BuildProducts.executable("no-reaper"),
        ["\(run.count)", "/bin/sh", "-c", "exec >/dev/null 2>&1\n\(run.script)"],
        environment: VMHostRun.environment.merging(
          [
            "V": vmhost, "K": "\(vmhost) run kitfixture.so --view-model kit.effects",
            "EXAMPLES": folder + "/../../Examples", "TRANSCRIPTS": folder + "/../Transcripts",
          ], uniquingKeysWith: { $1 }),
        workingDirectory: directory.path, within: .seconds(300))
      #expect(output.stderr == "")
      #expect(output.status == .success)
    }
  }

  @Test func `reaps what a provider leaves while the session goes on`() async throws {
    let provider = """
      n=1; while read line; do (true &); echo "{\\"kind\\":\\"reply\\",\\"id\\":$n,\\"value\\":\
      {\\"city\\":\\"b\\"}}"; n=$((n + 1)); done
      """
    let host = try VMHostRun.start(
      Arguments.kit("effects") + ["--effect", "geo.locate=\(provider)"])
    for number in 1...100 {
      try host.writeLine("> locate {\"city\":\"a\"}\n+ idle")
      #expect(try host.readLine() == "? \(number) geo.locate {\"city\":\"a\"}")
      #expect(try host.readLine() == "< result \"b\"")
    }
    // The worker, the provider, and what has ended since the last answer.
    #expect(try HostDeathTests.workers(of: host).count < 10)
    #expect(try host.wait().status == .success)
  }
}
