import Foundation
import HostCore
import TestSupport
import Testing

/// Files and folders whose names aren't UTF-8, in each place where a command takes or finds one.
struct PathBytesTests {
  /// Runs a script of the shell in a folder `x\xffy` with a plugin `e\xfe.so` and files of such
  /// names; `$V` is vmhost, and `$D` is the folder. `@plugin` has the plugin's name as text.
  private static func sh(
    _ script: String, in folder: TemporaryDirectory
  ) async throws -> ChildProcess.Output {
    let prelude = """
      set -e
      D=$(printf 'x\\377y'); E=$(printf 'e\\376.so'); T=$(printf 't\\375.vmt')
      mkdir "$D"; cp "$ECHO" "$D/$E"
      printf 'vmt 1\\n@plugin e\\356\\277\\276.so\\n@open echo\\n> say 1\\n< said 1\\n' > "$D/$T"
      set +e

      """
    return try await ChildProcess.run(
      "/bin/sh", ["-c", prelude + script],
      environment: VMHostRun.environment.merging([
        "V": try BuildProducts.executable("vmhost"), "ECHO": try BuildProducts.library("echo"),
        "XDG_CACHE_HOME": folder.file("cache"),
      ]) { $1 }, workingDirectory: folder.path)
  }

  @Test(arguments: [
    // Loaded in a worker and in process, by path, from a path that is searched, as current folder.
    ("echo '> say 1' | $V run \"$D/$E\" --format text", "< said 1\n", ""),
    ("echo '> say 1' | $V run \"$D/$E\" --format text --in-process", "< said 1\n", ""),
    ("echo '> say 1' | $V run \"$E\" --plugin-path \"$D\" --format text", "< said 1\n", ""),
    ("cd \"$D\"; echo '> say 1' | $V run \"$E\" --format text", "< said 1\n", ""),
    (
      "echo '> say 1' | VMHOST_PLUGIN_PATH=/nowhere:$D $V run \"$E\" --format text", "< said 1\n",
      ""
    ),
    ("$V describe \"$D/$E\" --format markdown | head -1", "# echo 1.0.0\n", ""),
    // Scripts, configs and flows.
    ("$V run --script \"$D/$T\" --format text --clock virtual", "< said 1\n", ""),
    (
      "echo '{}' > \"$D/c$E\"; echo '> say 1' | $V run \"$D/$E\" --config \"@$D/c$E\""
        + " --format text", "< said 1\n", ""
    ),
    (
      "echo '{\"start\":{\"open\":\"echo\"}}' > \"$D/f$E\"; $V describe --flow \"$D/f$E\"",
      "start\n  open echo (echo)\n\necho (echo)\n", ""
    ),
    // Written files: their names are those that were given.
    (
      "echo '> say 1' | $V run \"$D/$E\" --format text --record \"$D/r$T\" --store \"$D/s$T\";"
        + " cd \"$D\"; ls | od -An -c | tr -d ' \\n'; $V replay \"r$T\" --format text",
      "< said 1\ne376.so\\nrt375.vmt\\nst375.vmt\\nt375.vmt\\n@open echo\n+ T\n> say 1\n< said 1\n",
      ""
    ),
    // Found by a walk, by patterns, and in reports.
    ("$V test --list .", "./x\\xffy/t\\xfd.vmt\n", ""),
    ("$V test . --filter \"$D\" --list", "./x\\xffy/t\\xfd.vmt\n", ""),
    ("$V test . --in-process | sed 's/ in .*//'", "1 passed\n", ""),
    // Found twice, once through a link. The name begins with an accent.
    (
      "mv \"$D/$T\" \"$D/$(printf '\\314\\201').vmt\"; ln -s \"$D\" link;"
        + " $V test \"$D\" link | sed 's/ in .*//'", "1 passed\n", ""
    ),
    (
      "$V test . --junit \"$D/j$E\" --events \"$D/v$E\" --timings \"$D/i$E\" >o;"
        + " grep -c 'file=\"./x.xffy/t.xfd.vmt\"' \"$D/j$E\"; $V merge-reports \"$D/v$E\""
        + " --junit k; grep -c 'name=\"t.xfd.vmt\"' k; grep -c vmt \"$D/i$E\"",
      "1\n1 passed in T\n1\n1\n", ""
    ),
    // A change is accepted in the file that was found, in place and as a patch.
    (
      "sed -i 's/said 1/said 2/' \"$D/$T\"; $V test . >o; $V test --last-failed . >o;"
        + " $V test . --update=patch 2>o >p; patch -s -p1 <p; $V test . | sed 's/ in .*//'",
      "1 passed\n", ""
    ),
    (
      "sed -i 's/said 1/said 2/' \"$D/$T\"; $V test . --update >o;"
        + " $V test . | sed 's/ in .*//'; ls \"$D\" | wc -l", "1 passed\n2\n", ""
    ),
    // What isn't there is shown with its bytes.
    (
      "$V run \"$D/no$E\" --format text", "",
      "vmhost: Could not load \"x\\xffy/noe\\xfe.so\": there is no such file.\n"
    ),
    ("$V run \"--$E\"", "", "vmhost: \"vmhost run\" has no option \"--e\\xfe.so\".\n"),
    (
      "$V test \"no$D\"", "",
      "vmhost: there is no file or folder \"nox\\xffy\". Did you mean \"x\\xffy\"?\n"
    ),
  ])
  func `names that aren't UTF-8 work`(
    _ script: String, _ stdout: String, _ stderr: String
  ) async throws {
    try await TemporaryDirectory.with { folder in
      let output = try await Self.sh(script, in: folder)
      let found = output.stdout.replacing(#/^\+ .*$/#.anchorsMatchLineEndings(), with: "+ T")
        .replacing(#/ in [0-9.]+s/#, with: " in T")
      #expect(found == stdout, "\(output.stderr)")
      #expect(output.stderr.hasPrefix(stderr), "\(output.stderr)")
    }
  }

  @Test func `names that differ in normalisation are of two files`() async throws {
    try await TemporaryDirectory.with { folder in
      let names = ["\u{e9}", "e\u{301}"]
      for (name, library) in zip(names, ["echo", "hello"]) {
        try FileManager.default.copyItem(
          atPath: try BuildProducts.library(library), toPath: folder.file("\(name).so"))
      }
      let echo = "@open echo\n> say 1\n< said 1\n"
      let hello = "@open hello.greeter\n< greeting \"Hello!\"\n"
      for (name, text) in zip(names, [echo, hello]) {
        try folder.write("vmt 1\n@plugin \(name).so\n\(text)", to: "\(name).vmt")
      }
      let passed = try await VMHostRun.output(
        ["test", ".", "--jobs", "1"], workingDirectory: folder.path)
      #expect(passed.stdout.hasPrefix("2 passed in "), "\(passed.stdout)")
      // Both are changed by one patch.
      for (name, text) in zip(names, [echo, hello]) {
        let old = text.replacing("said 1", with: "said 2").replacing("Hello", with: "Bye")
        try folder.write("vmt 1\n@plugin \(name).so\n\(old)", to: "\(name).vmt")
      }
      let patch = try await VMHostRun.output(
        ["test", ".", "--update=patch"], workingDirectory: folder.path)
      for line in ["+< said 1", "+< greeting \"Hello!\""] {
        #expect(patch.stdout.contains("\n\(line)\n"), "\(patch.stdout)\(patch.stderr)")
      }
    }
  }

  @Test func `private characters in names and values stay what they are`() async throws {
    try await TemporaryDirectory.with { folder in
      let name = "p\u{ef80}\u{efff}.so"
      try FileManager.default.copyItem(
        atPath: try BuildProducts.library("echo"), toPath: folder.file(name))
      let output = try await VMHostRun.output(
        ["run", name, "--config", "{\"x\":\"\u{efff}\"}", "--record", "r.vmt"] + Arguments.text,
        .text("> say \"\u{efff}\"\n"), workingDirectory: folder.path)
      #expect(output.stdout == "< said \"\u{efff}\"\n")
      #expect(
        try String(contentsOfFile: folder.file("r.vmt"), encoding: .utf8).contains(
          "@open echo {\"x\":\"\u{efff}\"}"))
      let replay = try await VMHostRun.output(["test", "r.vmt"], workingDirectory: folder.path)
      #expect(replay.status == .exited(0), "\(replay.stdout)")
    }
  }
}
