import CanonicalJSON
import TestSupport
import Testing

@testable import vmhost

/// `vmhost describe --format typescript`, `python` and `json-schema`, with the compilers that a
/// front end would use.
struct FrontEndTypesTests {
  @Test func `the program has the schema of lines that is published`() throws {
    let text = try Repository.text(LinesSchema.path)
    #expect(try LineTypes.schema() == JSONValue(parsing: Array(text.utf8).span))
  }

  // MARK: Sessions

  @Test func `TypeScript has the types of all lines`() async throws {
    try await TemporaryDirectory.with { folder in
      var uses: [String: String] = [:]
      for session in SampleSession.all {
        try folder.write(await session.types("typescript"), to: "\(session.name).ts")
        var use = "import { LineIn, LineOut } from \"./\(session.name)\";\n"
        for line in session.lines.split(separator: "\n") { use += "(i: LineIn = \(line)) => i;\n" }
        for line in try await session.run() { use += "(o: LineOut = \(line)) => o;\n" }
        try folder.write(use, to: "use_\(session.name).ts")
        uses["use_\(session.name)"] = use
      }
      guard let errors = try await TypeChecker.typeScript.errors(uses.keys.sorted(), in: folder)
      else { return }
      for (name, use) in uses { #expect(use.surprises(errors, in: name) == []) }
    }
  }

  @Test func `Python has the types of all lines`() async throws {
    try await TemporaryDirectory.with { folder in
      var uses: [String: String] = [:]
      for session in SampleSession.all {
        try folder.write(await session.types("python"), to: "\(session.name).py")
        var use = "from \(session.name) import LineIn, LineOut\n"
        for (index, line) in session.lines.split(separator: "\n").enumerated() {
          use += "in_\(index): LineIn = \(try PythonText.of(String(line)))\n"
        }
        for (index, line) in try await session.run().enumerated() {
          use += "out_\(index): LineOut = \(try PythonText.of(line))\n"
        }
        try folder.write(use, to: "use_\(session.name).py")
        uses["use_\(session.name)"] = use
      }
      guard let errors = try await TypeChecker.python.errors(uses.keys.sorted(), in: folder)
      else { return }
      for (name, use) in uses { #expect(use.surprises(errors, in: name) == []) }
    }
  }

  @Test(arguments: SampleSession.all)
  func `JSON Schema allows all lines`(_ session: SampleSession) async throws {
    let text = try await session.types("json-schema")
    for (direction, lines) in [
      ("in", session.lines.split(separator: "\n").map(String.init)),
      ("out", try await session.run()),
    ] {
      let schema = try JSONSchema(text, definition: direction)
      for line in lines {
        #expect(try schema.allows(JSONValue(parsing: Array(line.utf8).span)), "\(line)")
      }
    }
  }

  // MARK: Wrong uses

  @Test func `a wrong use is an error in TypeScript where it is`() async throws {
    let use = """
      import { Config, Input, LineIn, LineOut, States } from "./movies";
      type Session = { list: "movies.list"; details: "movies.details" };
      type List = LineIn<"movies.list">;

      export const right: List[] = [
        { kind: "input", name: "didSearch", value: "jaws", seq: 1 },
        { name: "viewDidLoad" },
        { kind: "frame", instance: "any", seq: 2 },
      ];
      export const handle: LineIn<Session> = { instance: "list", name: "didSearch", value: "a" };
      export function show(line: LineOut<Session>, states: Partial<States<"movies.list">>): string {
        switch (line.kind) {
          case "output":
            if (line.instance === "details") return line.name === "title" ? line.value : "";
            switch (line.name) {
              case "items": return (states.items = line.value).map((row) => row.title).join();
              case "query": case "error": case "loading": return line.value;
              case "isEmpty": return line.value ? "empty" : "";
              case "labels": return line.value.screenTitle;
              case "showMovieDetails": return line.value.overview ?? line.value.id;
              case "showMovieQueriesSuggestions": return "";
              case "closeMovieQueriesSuggestions": return "";
              default: { const none: never = line; return none; }
            }
          case "frame":
            return line.instance === "list" ? line.states.query : line.states.title;
          case "open": return line.instance === "list" ? line.viewModel : "";
          case "refused": return line.code === "closed" ? "" : line.message;
          case "request": return line.effect === "http" ? JSON.stringify(line.value) : "";
          default: return "";
        }
      }
      export function missing(line: LineOut<"movies.suggestions">): void {
        if (line.kind !== "output") return;
        switch (line.name) {
          case "items": return;
          default: { const none: never = line; return none; } // wrong
        }
      }
      export function misread(line: LineOut<Session>): void {
        if (line.kind === "done") line.name; // wrong
        if (line.kind === "dnoe") return; // wrong
        if (line.kind === "log") line.plugin.length; // wrong
        if (line.kind === "request") line.value.status; // wrong
        if (line.kind === "refused" && line.code === "late") return; // wrong
        if (line.kind !== "output" || line.instance !== "list") return;
        if (line.name === "itmes") return; // wrong
        if (line.name === "items") line.value[0].titel; // wrong
        if (line.name === "loading" && line.value === "some") return; // wrong
      }
      export const misspelt: List = { kind: "input", name: "didSerch", value: "a" }; // wrong
      export const value: List = { kind: "input", name: "didSearch", value: 7 }; // wrong
      export const noValue: List = { name: "didSearch" }; // wrong
      export const oneValue: List = { name: "viewDidLoad", value: null }; // wrong
      export const member: List = { kind: "advance", by: "idle", name: "a" }; // wrong
      export const seq: List = { kind: "advance", by: "idle", seq: "1" }; // wrong
      export const kind: List = { kind: "inptu", name: "viewDidLoad" }; // wrong
      export const id: List = { kind: "reply", value: 1 }; // wrong
      export const any: LineIn = { name: "didSearch", value: 7 }; // wrong
      export const whose: LineIn<Session> = { name: "didSearch", value: "a" }; // wrong
      export const other: LineIn<Session> = { instance: "lits", name: "viewDidLoad" }; // wrong
      export const port: LineIn<Session> = { instance: "details", name: "viewDidLoad" }; // wrong
      export const config: Config<"movies.list"> = { source: "file" }; // wrong
      export const model: LineIn = { kind: "open", viewModel: "movies.lst" }; // wrong
      export const k: List = { kind: "open", viewModel: "movies.list", config: { l: 1 } }; // wrong
      export const film: Config<"movies.details"> = { movie: { title: "a" } }; // wrong
      export const input: Input<"movies.list"> = { name: "didSelect", value: "a" }; // wrong

      """
    try await TemporaryDirectory.with { folder in
      try folder.write(try VMHostRun.golden("describe-movies.typescript"), to: "movies.ts")
      try folder.write(use, to: "use.ts")
      guard let errors = try await TypeChecker.typeScript.errors(["use"], in: folder) else {
        return
      }
      #expect(use.surprises(errors) == [])
    }
  }

  @Test func `a wrong use is an error in Python where it is`() async throws {
    let use = """
      from typing import assert_never
      from movies import LineIn, LineOut, MoviesDetailsConfig, MoviesListConfig
      from movies import MoviesListInputLine, MoviesListOutputLine, MoviesListStates

      right: list[MoviesListInputLine] = [
          {"kind": "input", "name": "didSearch", "value": "jaws", "seq": 1},
          {"name": "viewDidLoad"},
      ]
      frame: LineIn = {"kind": "frame", "instance": "any", "seq": 2}

      def show(line: MoviesListOutputLine, states: MoviesListStates) -> str:
          if line["name"] == "items":
              states["items"] = line["value"]
              return ", ".join(row["title"] for row in line["value"])
          if line["name"] == "query" or line["name"] == "error" or line["name"] == "loading":
              return line["value"]
          if line["name"] == "isEmpty":
              return "empty" if line["value"] else ""
          if line["name"] == "labels":
              return line["value"]["screenTitle"]
          if line["name"] == "showMovieDetails":
              return line["value"].get("overview") or line["value"]["id"]
          if line["name"] == "showMovieQueriesSuggestions":
              return ""
          if line["name"] == "closeMovieQueriesSuggestions":
              return ""
          assert_never(line)

      def read(line: LineOut) -> str:
          if line["kind"] == "output" and line["name"] == "loading":
              return line["value"]
          return line["message"] if line["kind"] == "refused" else ""

      def missing(line: MoviesListOutputLine) -> None:
          if line["name"] != "items":
              assert_never(line)  # wrong

      def misread(line: LineOut, output: MoviesListOutputLine) -> None:
          if line["kind"] == "done":
              print(line["name"])  # wrong
          if line["kind"] == "dnoe":  # wrong
              print("")
          if line["kind"] == "refused" and line["code"] == "late":  # wrong
              print("")
          if output["name"] == "itmes":  # wrong
              print("")
          if output["name"] == "items":
              print(output["value"][0]["titel"])  # wrong

      misspelt: LineIn = {"kind": "input", "name": "didSerch", "value": "a"}  # wrong
      value: LineIn = {"kind": "input", "name": "didSearch", "value": 7}  # wrong
      no_value: LineIn = {"name": "didSearch"}  # wrong
      one_value: LineIn = {"name": "viewDidLoad", "value": None}  # wrong
      member: LineIn = {"kind": "advance", "by": "idle", "name": "a"}  # wrong
      seq: LineIn = {"kind": "advance", "by": "idle", "seq": "1"}  # wrong
      kind: LineIn = {"kind": "inptu", "name": "viewDidLoad"}  # wrong
      number: LineIn = {"kind": "reply", "value": 1}  # wrong
      other: MoviesListInputLine = {"name": "updatePosterImage", "value": 1}  # wrong
      config: MoviesListConfig = {"source": "file"}  # wrong
      model: LineIn = {"kind": "open", "viewModel": "movies.lst"}  # wrong
      key: LineIn = {"kind": "open", "viewModel": "movies.list", "config": {"lang": ""}}  # wrong
      film: MoviesDetailsConfig = {"movie": {"title": "a"}}  # wrong

      """
    try await TemporaryDirectory.with { folder in
      try folder.write(try VMHostRun.golden("describe-movies.python"), to: "movies.py")
      try folder.write(use, to: "use.py")
      guard let errors = try await TypeChecker.python.errors(["use"], in: folder) else { return }
      #expect(use.surprises(errors) == [])
    }
  }

  @Test(arguments: [
    #"{"name":"didSerch","value":"a"}"#, #"{"name":"didSearch","value":7}"#,
    #"{"name":"didSearch"}"#, #"{"name":"viewDidLoad","value":null}"#,
    #"{"kind":"open","viewModel":"movies.lst"}"#,
    #"{"kind":"open","viewModel":"movies.list","config":{"source":"file"}}"#,
    #"{"kind":"output","t":0,"instance":"list","name":"itmes","value":[]}"#,
    #"{"kind":"output","t":0,"instance":"list","name":"items","value":{}}"#,
    #"{"kind":"output","t":0,"instance":"list","name":"items"}"#,
    #"{"kind":"request","t":0,"instance":"list","id":1,"effect":"htpt"}"#,
    #"{"kind":"frame","t":0,"instance":"list","states":{}}"#,
  ])
  func `JSON Schema refuses a line that no view model has`(_ line: String) throws {
    let schema = try JSONSchema(VMHostRun.golden("describe-movies.json-schema"))
    #expect(try !schema.allows(JSONValue(parsing: Array(line.utf8).span)))
  }

  @Test func `a flow says which view model a handle has`() async throws {
    let flow = try #require(SampleSession.all.first { $0.flow != nil })
    try await TemporaryDirectory.with { folder in
      try folder.write(await flow.types("typescript"), to: "flow.ts")
      try folder.write(await flow.types("python"), to: "flow.py")
      let use = """
        import { LineIn, LineOut } from "./flow";
        export const right: LineIn = { instance: "list", name: "didSearch", value: "a" };
        export const whose: LineIn = { name: "didSearch", value: "a" }; // wrong
        export const port: LineIn = { instance: "details", name: "didSearch", value: "a" }; // wrong
        export function show(line: LineOut): string {
          if (line.kind !== "output" || line.name !== "items") return "";
          return line.instance === "list" ? line.value[0].title : line.value[0].query;
        }

        """
      try folder.write(use, to: "use.ts")
      if let errors = try await TypeChecker.typeScript.errors(["use"], in: folder) {
        #expect(use.surprises(errors) == [])
      }
      let python = """
        from flow import LineIn, LineOut
        right: LineIn = {"instance": "list", "name": "didSearch", "value": "a"}
        whose: LineIn = {"name": "didSearch", "value": "a"}  # wrong
        port: LineIn = {"instance": "details", "name": "didSearch", "value": "a"}  # wrong
        def show(line: LineOut) -> str:
            if line["kind"] == "output" and line["instance"] == "list":
                if line["name"] == "items":
                    return line["value"][0]["title"]
            return ""

        """
      try folder.write(python, to: "use.py")
      if let errors = try await TypeChecker.python.errors(["use"], in: folder) {
        #expect(python.surprises(errors) == [])
      }
      let schema = try JSONSchema(await flow.types("json-schema"))
      for (instance, isRight) in [("list", true), ("details", false), ("lits", false)] {
        let line = "{\"instance\":\"\(instance)\",\"name\":\"didSearch\",\"value\":\"a\"}"
        #expect(try schema.allows(JSONValue(parsing: Array(line.utf8).span)) == isRight)
      }
    }
  }

  @Test(arguments: [TypeChecker.typeScript, .python])
  func `the examples in FrontEnds.md are right uses`(_ checker: TypeChecker) async throws {
    let format = checker == .typeScript ? "typescript" : "python"
    let page = try Repository.text("Documentation/FrontEnds.md")
    let parts = page.split(separator: "<!-- types: \(format) -->\n")
    let block = try #require(parts.count == 2 ? parts[1].split(separator: "```").first : nil)
    let use = block.drop { $0 != "\n" }.dropFirst()
    try await TemporaryDirectory.with { folder in
      let ending = checker.fileEnding
      try folder.write(VMHostRun.golden("describe-movies.\(format)"), to: "movies\(ending)")
      try folder.write(String(use), to: "use\(ending)")
      let errors = try await checker.errors(["use"], in: folder)
      #expect(errors == nil || errors == [])
    }
  }

  // MARK: Mistakes

  @Test func `needs the plugins, each view model once`() async throws {
    let flow = "\(try Repository.root())/Examples/flows/movies.json"
    for arguments in [[], ["--flow", flow]] {
      try await VMHostRun.expect(
        ["describe", "--format", "python"] + arguments,
        stderr: """
          vmhost: "vmhost describe" needs PLUGIN. Name all plugins that the front end uses.
          See "vmhost describe --help".

          """, status: 2)
    }
    let library = try BuildProducts.library("echo")
    try await VMHostRun.expect(
      ["describe", "echo.so", library, "--format", "typescript"],
      stderr: "vmhost: \"echo.so\" and \"\(library)\" both have \"echo\".\n", status: 2)
    let output = try await VMHostRun.output(
      ["describe", "echo.so", "--flow", flow, "--format", "json-schema"])
    #expect(output.stderr.contains("there is no view model \"movies.list\"."))
    #expect(output.status == .exited(2))
  }

  @Test func `has all plugins in one file`() async throws {
    let output = try await VMHostRun.output(
      ["describe", "echo.so", "movies.so", "--format", "typescript"])
    #expect(output.stdout.contains("// Plugins: echo 1.0.0, movies 1.0.0\n"))
    #expect(output.stdout.contains("\n  \"echo\": {\n"))
    #expect(output.stdout.contains("\n  \"movies.details\": {\n"))
    #expect(output.status == .success)
  }
}
