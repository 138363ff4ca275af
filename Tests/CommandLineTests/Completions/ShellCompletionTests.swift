import Foundation
import TestSupport
import Testing

/// What Tab does in real shells. `|` is the cursor.
struct ShellCompletionTests {
  private static let files = [
    "my dir/größe film.so", "my dir/sub/x.txt", "it's.so", "a:b.so", "c=d.json", "notes.txt",
    "search.vmt", "plug.so", "sole.json", "broken.so",
  ]

  /// What is typed, and what is there after Tab in both shells.
  private static let cases: [(typed: String, completed: String)] = [
    ("vmhost ru", "vmhost run |"),
    ("vmhost comple", "vmhost completions |"),
    ("vmhost --ver", "vmhost --version |"),
    ("vmhost --version --", "vmhost --version --json |"),
    ("vmhost help ru", "vmhost help run |"),
    ("cd .; vmhost ru", "cd .; vmhost run |"),
    ("A=1 vmhost ru", "A=1 vmhost run |"),
    // Options and their values.
    ("vmhost describe --form", "vmhost describe --format |"),
    ("vmhost describe movies.so --format ty", "vmhost describe movies.so --format typescript |"),
    ("vmhost describe movies.so --format=ty", "vmhost describe movies.so --format=typescript |"),
    ("vmhost new x --language r", "vmhost new x --language rust |"),
    ("vmhost run --clock v", "vmhost run --clock virtual |"),
    ("vmhost run --sandbox st", "vmhost run --sandbox st|"),
    ("vmhost test --list=j", "vmhost test --list=jsonl |"),
    ("vmhost run --limit ev", "vmhost run --limit events=|"),
    ("vmhost test --rename inp", "vmhost test --rename input:|"),
    ("vmhost completions z", "vmhost completions zsh |"),
    // One that was given, before or behind the cursor, isn't there again.
    ("vmhost run --clock live --cl", "vmhost run --clock live --cl|"),
    ("vmhost run --clo| --clock=live", "vmhost run --clo| --clock=live"),
    ("vmhost run --plugin-path . --plugin-p", "vmhost run --plugin-path . --plugin-path |"),
    ("vmhost test -- --fail", "vmhost test -- --fail|"),
    ("vmhost run --nonsense=x --cloc", "vmhost run --nonsense=x --clock |"),
    // What plugins know.
    ("vmhost run movies.so --view-model ", "vmhost run movies.so --view-model movies.|"),
    (
      "vmhost run movies.so --view-model movies.d",
      "vmhost run movies.so --view-model movies.details |"
    ),
    (
      "vmhost run movies.so --view-model=movies.d",
      "vmhost run movies.so --view-model=movies.details |"
    ),
    (
      "vmhost run movies.so --view-model \"movies.s",
      "vmhost run movies.so --view-model \"movies.suggestions\" |"
    ),
    (
      "vmhost run echo.so 'movies.so' --view-model ech",
      "vmhost run echo.so 'movies.so' --view-model echo |"
    ),
    ("vmhost run movies.so --secret ", "vmhost run movies.so --secret tmdb=|"),
    (
      "vmhost run movies.so --secret tmdb=TMDB_KEY_",
      "vmhost run movies.so --secret tmdb=TMDB_KEY_OF_TEST |"
    ),
    ("vmhost run movies.so --effect=", "vmhost run movies.so --effect=http=|"),
    ("vmhost run movies.so --store-adopt ", "vmhost run movies.so --store-adopt movies |"),
    ("vmhost run broken.so --view-model x", "vmhost run broken.so --view-model x|"),
    ("vmhost run nothere.so --view-model x", "vmhost run nothere.so --view-model x|"),
    // Files.
    ("vmhost run mov", "vmhost run movies.so |"),
    ("vmhost run pl", "vmhost run plug.so |"),
    ("vmhost run ./pl", "vmhost run ./plug.so |"),
    ("vmhost run my", "vmhost run my\\ dir/|"),
    ("vmhost run my\\ dir/gr", "vmhost run my\\ dir/größe\\ film.so |"),
    ("vmhost run \"my dir/gr", "vmhost run \"my dir/größe film.so\" |"),
    ("vmhost run 'my dir/gr", "vmhost run 'my dir/größe film.so' |"),
    ("vmhost run ~/pl", "vmhost run ~/plug.so |"),
    ("vmhost run ~/my\\ dir/gr", "vmhost run ~/my\\ dir/größe\\ film.so |"),
    ("vmhost run $HOME/pl", "vmhost run $HOME/plug.so |"),
    ("vmhost run it", "vmhost run it\\'s.so |"),
    ("vmhost run it\\'", "vmhost run it\\'s.so |"),
    ("vmhost run a:", "vmhost run a:b.so |"),
    ("vmhost run 'a:", "vmhost run 'a:b.so' |"),
    ("vmhost test se", "vmhost test search.vmt |"),
    ("vmhost run --flow so", "vmhost run --flow sole.json |"),
    ("vmhost run --flow=c=", "vmhost run --flow=c=d.json |"),
    ("vmhost run --config @so", "vmhost run --config @sole.json |"),
    ("vmhost run --config @my\\ dir/s", "vmhost run --config @my\\ dir/sub/|"),
    ("vmhost run --config=@so", "vmhost run --config=@sole.json |"),
    ("vmhost run --script no", "vmhost run --script notes.txt |"),
    ("vmhost manual my", "vmhost manual my\\ dir/|"),
    ("vmhost describe movies.so > no", "vmhost describe movies.so > notes.txt |"),
  ]

  @Test(arguments: CompletingShell.Kind.allCases)
  func `Tab completes a word`(_ kind: CompletingShell.Kind) async throws {
    try await TemporaryDirectory.with { folder in
      for file in Self.files { try folder.write("", to: file) }
      guard let shell = try CompletingShell(kind, in: folder.path) else { return }
      for (typed, completed) in Self.cases {
        let line = try shell.complete(typed)
        #expect(line == completed.withCursor, "\(typed)")
      }
      #expect(!shell.transcript.contains("vmhost: "))
    }
  }

  @Test func `bash completes whatever its words are`() async throws {
    try await TemporaryDirectory.with { folder in
      for file in Self.files { try folder.write("", to: file) }
      let shell = try #require(try CompletingShell(.bash, in: folder.path))
      for typed in ["\"my dir\"/gr", "my\" dir\"/gr", "my\\ di'r'/gr"] {
        let line = try shell.complete("vmhost run \(typed)")
        #expect(line == "vmhost run my\\ dir/größe\\ film.so |", "\(typed)")
      }
      try shell.run("COMP_WORDBREAKS=${COMP_WORDBREAKS//[=:@]/}")
      for (typed, completed) in [
        ("vmhost describe --format=ty", "vmhost describe --format=typescript |"),
        ("vmhost run --flow=c=", "vmhost run --flow=c=d.json |"),
        ("vmhost run --config=@c", "vmhost run --config=@c=d.json |"),
        ("vmhost run movies.so --effect=ht", "vmhost run movies.so --effect=http=|"),
      ] {
        let line = try shell.complete(typed)
        #expect(line == completed, "\(typed)")
      }
    }
  }

  @Test(arguments: CompletingShell.Kind.allCases)
  func `a word in the middle of a line is completed, with what stands behind it`(
    _ kind: CompletingShell.Kind
  ) async throws {
    try await TemporaryDirectory.with { folder in
      guard let shell = try CompletingShell(kind, in: folder.path) else { return }
      let line = try shell.complete("vmhost run --view-model movies.d| movies.so")
      let words = line.split { $0 == " " || $0 == "|" }
      #expect(words == ["vmhost", "run", "--view-model", "movies.details", "movies.so"])
    }
  }

  @Test(arguments: CompletingShell.Kind.allCases)
  func `the vmhost that was typed is the one that is asked`(
    _ kind: CompletingShell.Kind
  ) async throws {
    try await TemporaryDirectory.with { folder in
      guard let shell = try CompletingShell(kind, in: folder.path) else { return }
      // The shell writes it: a file that this process has open, while another test starts
      // something, can't be run.
      let script = "'#!/bin/sh' 'printf \"value\\\\tmine\\\\n\"'"
      try shell.run(
        "mkdir 'bin dir'; printf '%s\\n' \(script) > 'bin dir/vmhost'; chmod +x 'bin dir/vmhost'")
      for program in ["bin\\ dir/vmhost", "~/bin\\ dir/vmhost"] {
        let line = try shell.complete("\(program) ")
        #expect(line == "\(program) mine |")
      }
    }
  }

  @Test func `zsh loads the script from a folder of functions`() async throws {
    try await TemporaryDirectory.with { folder in
      let script = try await VMHostRun.output(["completions", "zsh"])
      try folder.write(script.stdout, to: "site/_vmhost")
      guard let shell = try CompletingShell(.zsh, in: folder.path) else { return }
      try shell.run("unfunction _vmhost; fpath=(~/site $fpath); compinit -u -D")
      #expect(try shell.complete("vmhost ru") == "vmhost run |")
      #expect(try shell.complete("vmhost lo") == "vmhost lock |")
    }
  }
}

extension String {
  /// With a cursor at the end, if there is none.
  fileprivate var withCursor: String { contains("|") ? self : self + "|" }
}
