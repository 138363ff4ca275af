import Foundation
import HostCore
import TestSupport
import Testing

/// Ways to have the linker load something else than what a lock has.
struct LockEvasionTests {
  struct Case: CustomTestStringConvertible {
    let testDescription: String
    /// How `film.so` is linked; `$HERE` stands for the test's folder.
    var film: [String] = ["-lbeside", "-Wl,-rpath,$ORIGIN"]
    /// How `libbeside.so` is linked.
    var beside: [String] = []
    /// Where the evil library is put.
    let evil: String
    /// Where a link to a library of the system is put, if anywhere.
    var systemLink: String?
    var searchPath: String?
    /// How the refusal goes on after the plugin's name.
    let refusal: String
  }

  private static let suffix = ", so a lock can't say which libraries are loaded."
  private static let searched = ["-lbeside"]

  private static let subfolders = [
    "glibc-hwcaps/x86-64-v2", "glibc-hwcaps/x86-64-v3", "glibc-hwcaps/x86-64-v9", "tls", "x86_64",
    "haswell", "avx512_1", "tls/haswell/avx512_1/x86_64", "haswell/x86_64",
  ].flatMap { folder in
    [
      Case(
        testDescription: "\(folder) by $ORIGIN", evil: "\(folder)/libbeside.so",
        refusal: "it may need \"libbeside.so\" from \"$HERE/\(folder)\""),
      Case(
        testDescription: "\(folder) by LD_LIBRARY_PATH", film: searched,
        evil: "\(folder)/libbeside.so", searchPath: "$HERE",
        refusal: "it may need \"libbeside.so\" from \"$HERE/\(folder)\""),
    ]
  }

  private static let others = [
    Case(
      testDescription: "DT_AUXILIARY", film: ["-lbeside", "-Wl,-rpath,$ORIGIN,-f,libevil.so"],
      evil: "libevil.so", refusal: "it names a library by DT_AUXILIARY"),
    Case(
      testDescription: "DT_FILTER", film: ["-lbeside", "-Wl,-rpath,$ORIGIN,-F,libevil.so"],
      evil: "libevil.so", refusal: "it names a library by DT_FILTER"),
    Case(
      testDescription: "DT_AUXILIARY of a library beside it",
      beside: ["-Wl,-rpath,$ORIGIN,-f,libevil.so"], evil: "libevil.so",
      refusal: "\"$HERE/libbeside.so\" names a library by DT_AUXILIARY"),
    Case(
      testDescription: "DT_DEPAUDIT",
      film: ["-lbeside", "-Wl,-rpath,$ORIGIN,--depaudit=libevil.so"], evil: "libevil.so",
      refusal: "it names a library by DT_DEPAUDIT"),
    Case(
      testDescription: "DT_AUDIT", film: ["-lbeside", "-Wl,-rpath,$ORIGIN,--audit=libevil.so"],
      evil: "libevil.so", refusal: "it names a library by DT_AUDIT"),
    Case(
      testDescription: "$LIB", film: ["-lbeside", "-Wl,-rpath,$HERE/$LIB:$ORIGIN"],
      evil: "lib/x86_64-linux-gnu/libbeside.so",
      refusal: "it searches \"$HERE/$LIB\" for libraries"),
    Case(
      // To Swift it is one character with the dollar sign.
      testDescription: "$LIB after U+0600",
      film: ["-lbeside", "-Wl,-rpath,$HERE/\u{600}$LIB:$ORIGIN"],
      evil: "\u{600}lib/x86_64-linux-gnu/libbeside.so",
      refusal: "it searches \"$HERE/\u{fffd}$LIB\" for libraries"),
    Case(
      testDescription: "$LIB after U+0600 in a name",
      beside: ["-Wl,-soname,$HERE/\u{600}$LIB/m.so"],
      evil: "\u{600}lib/x86_64-linux-gnu/m.so", systemLink: "\u{600}$LIB/m.so",
      refusal: "it needs \"$HERE/\u{fffd}$LIB/m.so\" by its path"),
    Case(
      testDescription: "${PLATFORM}", film: ["-lbeside", "-Wl,-rpath,$HERE/${PLATFORM}:$ORIGIN"],
      evil: "x86_64/libbeside.so", refusal: "it searches \"$HERE/${PLATFORM}\" for libraries"),
    Case(
      testDescription: "a relative folder", film: ["-lbeside", "-Wl,-rpath,evil:$ORIGIN"],
      evil: "evil/libbeside.so", refusal: "it searches \"evil\" for libraries"),
    Case(
      testDescription: "an empty folder", film: ["-lbeside", "-Wl,-rpath,:$ORIGIN/good"],
      evil: "libevil.so", refusal: "it searches the current folder for libraries"),
    Case(
      testDescription: "a relative folder in LD_LIBRARY_PATH", evil: "evil/libbeside.so",
      searchPath: "evil", refusal: "LD_LIBRARY_PATH has the folder \"evil\""),
    Case(
      testDescription: "an empty folder in LD_LIBRARY_PATH", evil: "evil/libbeside.so",
      searchPath: "$HERE:", refusal: "LD_LIBRARY_PATH has the folder \"\""),
    Case(
      testDescription: "two folders in one of LD_LIBRARY_PATH", evil: "evil/libbeside.so",
      searchPath: "$HERE/none;$HERE/evil",
      refusal: "LD_LIBRARY_PATH has the folder \"$HERE/none;$HERE/evil\""),
    Case(
      testDescription: "a token in LD_LIBRARY_PATH", evil: "x86_64/libbeside.so",
      searchPath: "$HERE/$PLATFORM",
      refusal: "LD_LIBRARY_PATH has the folder \"$HERE/$PLATFORM\""),
    Case(
      testDescription: "a path through the system's folders",
      film: ["-Wl,-rpath,$ORIGIN", "/usr/lib/../..$HERE/named.so"], evil: "named.so",
      refusal: "it needs \"/usr/lib/../..$HERE/named.so\" by its path"),
    Case(
      testDescription: "a token in a name", beside: ["-Wl,-soname,$ORIGIN/evil/libbeside.so"],
      evil: "evil/libbeside.so", refusal: "it needs \"$ORIGIN/evil/libbeside.so\" by its path"),
    Case(
      testDescription: "a search path that is cut",
      film: ["-lbeside", "-Wl,-rpath,$HERE/evil:" + String(repeating: "/none/", count: 800)],
      evil: "evil/libbeside.so", refusal: "it has a name or a search path that is too long"),
    Case(
      testDescription: "too many folders",
      film: [
        "-lbeside",
        "-Wl,-rpath,"
          + (0..<70).map { "/none/\($0)" }.joined(separator: ":") + ":$HERE/evil",
      ],
      evil: "evil/libbeside.so", refusal: "it searches too many folders"),
  ]

  /// Compiles `film.so`, `libbeside.so` and the evil library, each of which prints when it is
  /// loaded.
  private static func compile(_ evasion: Case, in folder: TemporaryDirectory) async throws {
    let here = { (text: String) in text.replacing("$HERE", with: folder.path) }
    for (text, path) in [("good", "libbeside.so"), ("evil", evasion.evil)] {
      let source = try folder.write(library(text), to: "\(text).c")
      let target = URL(fileURLWithPath: folder.file(path))
      try FileManager.default.createDirectory(
        at: target.deletingLastPathComponent(), withIntermediateDirectories: true)
      let more = text == "good" ? evasion.beside.map(here) : []
      try await Compiler.c.run(["-shared", "-fPIC", source, "-o", target.path] + more)
    }
    if let link = evasion.systemLink {
      let target = URL(fileURLWithPath: folder.file(link))
      try FileManager.default.createDirectory(
        at: target.deletingLastPathComponent(), withIntermediateDirectories: true)
      try FileManager.default.createSymbolicLink(
        atPath: target.path, withDestinationPath: "/usr/lib/x86_64-linux-gnu/libm.so.6")
    }
    let usesBeside = evasion.film.contains("-lbeside") ? ["-DBESIDE"] : ["-Wl,--no-as-needed"]
    try await PosingPlugin.compile(
      "film", to: folder.file("film.so"), loaded: "film ran",
      usesBeside + ["-L", folder.path, "-Wl,--enable-new-dtags"] + evasion.film.map(here))
  }

  private static func library(_ name: String) -> String {
    """
    #include <unistd.h>
    const char *beside(void);
    const char *beside(void) { return "\(name)"; }
    __attribute__((constructor)) static void ran(void) { (void)!write(2, "\(name) ran\\n", 9); }

    """
  }

  @Test(arguments: subfolders + others)
  func `what the linker may load otherwise is refused before anything runs`(
    _ evasion: Case
  ) async throws {
    try await TemporaryDirectory.with { folder in
      try await Self.compile(evasion, in: folder)
      let here = try Files.absolute(folder.path)
      let digests = try ["film.so", "libbeside.so"].map {
        try SHA256.digest(ofFile: folder.file($0))
      }
      try folder.write(
        """
        {"lock":1,"plugins":[{"id":"film","version":"1.0.0","file":"film.so",\
        "sha256":"\(digests[0])","beside":[{"name":"libbeside.so","sha256":"\(digests[1])"}]}]}
        """, to: "plugins.lock")
      let run = ["run", "film.so", "--lock", "plugins.lock"] + Arguments.text
      let commands = [
        ["lock", "film.so"], run, run + ["--sandbox=strict"], run + ["--sandbox=best-effort"],
        run + ["--in-process"],
      ]
      let refusal = evasion.refusal.replacing("$HERE", with: here)
      for command in commands {
        try await VMHostRun.expect(
          command,
          environment: evasion.searchPath.map {
            ["LD_LIBRARY_PATH": $0.replacing("$HERE", with: here)]
          } ?? [:], workingDirectory: here,
          stderr: "vmhost: Could not load \"film.so\": \(refusal)\(Self.suffix)\n", status: 3)
      }
    }
  }

  /// Compiles a library beside the plugin.
  private static func compile(
    _ name: String, saying text: String, function: String, in folder: TemporaryDirectory
  ) async throws {
    let source = try folder.write(
      library(text).replacing("*beside(", with: "*\(function)("), to: "\(text).c")
    try await Compiler.c.run(["-shared", "-fPIC", source, "-o", folder.file(name)])
  }

  @Test func `names that differ in normalisation are of two libraries`() async throws {
    try await TemporaryDirectory.with { folder in
      let here = try Files.absolute(folder.path)
      let (composed, decomposed) = ("lib\u{e9}.so", "libe\u{301}.so")
      try await Self.compile(composed, saying: "good", function: "beside", in: folder)
      try await Self.compile(decomposed, saying: "fine", function: "other", in: folder)
      try await PosingPlugin.compile(
        "film", to: folder.file("film.so"),
        [
          "-DBESIDE", "-L", folder.path, "-l:\(composed)", "-Wl,--no-as-needed",
          "-l:\(decomposed)", "-Wl,-rpath,$ORIGIN",
        ])
      let lock = try await VMHostRun.output(["lock", "film.so"], workingDirectory: here)
      #expect(lock.status == .success, "\(lock.stderr)")
      for name in [composed, decomposed] {
        #expect(Array(lock.stdout.utf8).firstRange(of: Array(name.utf8)) != nil, "\(lock.stdout)")
      }
      try folder.write(lock.stdout, to: "plugins.lock")
      let run = ["run", "film.so", "--lock", "plugins.lock"] + Arguments.text
      let right = try await VMHostRun.output(run, workingDirectory: here)
      #expect(right.status == .success, "\(right.stderr)")

      try await Self.compile(decomposed, saying: "evil", function: "other", in: folder)
      for options in [[], ["--sandbox=off"], ["--in-process"]] {
        let output = try await VMHostRun.output(run + options, workingDirectory: here)
        #expect(
          output.stderr.contains("the library \"\(decomposed)\" beside it has the SHA-256"),
          "\(output.stderr)")
        #expect(!(output.stdout + output.stderr).contains("evil"))
        #expect(output.status == .exited(3))
      }
    }
  }

  @Test func `what a plugin loads by itself while it is loaded is noticed`() async throws {
    try await TemporaryDirectory.with { folder in
      let here = try Files.absolute(folder.path)
      let other = try folder.write("int other(void);\nint other(void) { return 1; }\n", to: "o.c")
      try await Compiler.c.run(["-shared", "-fPIC", other, "-o", folder.file("libother.so")])
      let source = try folder.write(
        """
        #include <dlfcn.h>
        const char *beside(void);
        const char *beside(void) { return "good"; }
        __attribute__((constructor)) static void ran(void) { dlopen(OTHER, RTLD_NOW); }

        """, to: "beside.c")
      try await Compiler.c.run([
        "-shared", "-fPIC", "-DOTHER=\"\(here)/libother.so\"", source, "-o",
        folder.file("libbeside.so"),
      ])
      try await PosingPlugin.compile(
        "film", to: folder.file("film.so"),
        ["-DBESIDE", "-L", folder.path, "-lbeside", "-Wl,-rpath,$ORIGIN"])
      let lock = try await VMHostRun.output(["lock", "film.so"], workingDirectory: here)
      #expect(lock.status == .success, "\(lock.stderr)")
      try folder.write(lock.stdout, to: "plugins.lock")
      let output = try await VMHostRun.output(
        ["run", "film.so", "--lock", "plugins.lock", "--sandbox=off"] + Arguments.text,
        workingDirectory: here)
      #expect(
        output.stderr.hasSuffix(
          "vmhost: Could not load \"film.so\": it loaded \"\(here)/libother.so\", which is not"
            + " among the libraries that it needs.\n"))
      #expect(output.status == .exited(3))
    }
  }
}
