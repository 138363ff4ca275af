import CanonicalJSON
import TestSupport
import Testing

/// A session with the built vmhost, of which all lines have types.
struct SampleSession: CustomTestStringConvertible {
  let name: String
  let plugins: [String]
  var flow: String?
  var options: [String] = []
  /// The lines that go in.
  let lines: String

  var testDescription: String { name }

  func types(_ format: String) async throws -> String {
    let output = try await VMHostRun.output(
      ["describe", "--format", format] + plugins + flowOption)
    #expect(output.status == .success, "\(output.stderr)")
    return output.stdout
  }

  /// The lines that come out.
  func run() async throws -> [String] {
    let output = try await VMHostRun.output(
      ["run"] + plugins + flowOption + options + Arguments.jsonl, .text(lines))
    #expect(output.status == .exited(output.stdout.contains("\"fault\"") ? 1 : 0))
    return output.lines
  }

  private var flowOption: [String] {
    get throws { try flow.map { ["--flow", "\(try Repository.root())/\($0)"] } ?? [] }
  }

  static let all = [movies, flow, account, kit, echo]

  private static let movies = SampleSession(
    name: "movies", plugins: ["movies.so"], options: ["--effect", "http=none"],
    lines: #"""
      {"instance":"list","name":"viewDidLoad"}
      {"kind":"input","instance":"list","name":"didSearch","value":"jaws","seq":1}
      {"kind":"advance","by":"idle","seq":2}
      {"kind":"frame","instance":"list","seq":3}
      {"instance":"list","name":"didSelectItem","value":0,"seq":4}
      {"kind":"open","viewModel":"movies.details","instance":"d","config":{"movie":{"id":"1"}}}
      {"kind":"open","viewModel":"movies.suggestions","seq":5}
      {"instance":"suggestions","name":"viewWillAppear"}
      {"instance":"suggestions","name":"didSelect","value":{"query":"jaws"}}
      {"kind":"open","viewModel":"movies.list","instance":"t","config":{"source":"tmdb"}}
      {"instance":"t","name":"didSearch","value":"wa"}
      {"instance":"t","name":"didCancelSearch"}
      {"instance":"t","name":"didSearch","value":"wa"}
      {"kind":"error","instance":"t","id":2,"code":"offline","message":"no route","seq":6}
      {"kind":"reply","instance":"t","id":9,"value":{"status":200},"seq":7}
      {"kind":"go","step":1,"seq":8}
      {"kind":"close","instance":"d","seq":9}
      {"instance":"d","name":"updatePosterImage","value":200}

      """#)

  private static let flow = SampleSession(
    name: "flow", plugins: ["movies.so"], flow: "Examples/flows/movies.json",
    lines: #"""
      {"instance":"list","name":"showQueriesSuggestions","seq":1}
      {"instance":"suggestions","name":"didSelect","value":{"query":"jaws"},"seq":2}
      {"kind":"advance","by":"idle"}
      {"kind":"frame","instance":"list"}
      {"instance":"list","name":"didSelectItem","value":0}
      {"kind":"frame","instance":"details","seq":3}

      """#)

  private static let account = SampleSession(
    name: "account", plugins: ["account.so"],
    lines: #"""
      {"instance":"signup","name":"username","value":"ada"}
      {"instance":"signup","name":"password","value":"secret"}
      {"kind":"open","viewModel":"account.settings"}
      {"instance":"settings","name":"onSwitchToggleOn","value":{"cell":"minionMode","on":true}}
      {"kind":"open","viewModel":"account.two-factor","config":{"apiBase":"https://example.org"}}
      {"instance":"two-factor","name":"codeChanged","value":null}
      {"instance":"two-factor","name":"credentials","value":{"email":"a@b.c","password":"p"}}
      {"kind":"open","viewModel":"account.person","instance":"p"}
      {"instance":"p","name":"personLoaded","value":{"name":"Ada","sex":1}}
      {"kind":"open","viewModel":"account.statistics","seq":1}
      {"kind":"frame","instance":"statistics","seq":2}
      {"kind":"frame","instance":"settings","seq":3}
      {"kind":"advance","by":"3s"}

      """#)

  private static let kit = SampleSession(
    name: "kitfixture", plugins: ["kitfixture.so"],
    lines: #"""
      {"instance":"ports","name":"setText","value":"a"}
      {"instance":"ports","name":"setNumber","value":7}
      {"instance":"ports","name":"setAmount","value":1.5}
      {"instance":"ports","name":"setFlag","value":true}
      {"instance":"ports","name":"setMaybe","value":"a"}
      {"instance":"ports","name":"setMaybe","value":null}
      {"instance":"ports","name":"setList","value":["a"]}
      {"instance":"ports","name":"setPoint","value":{"x":1,"y":2}}
      {"instance":"ports","name":"setAny","value":[1,{"a":null}]}
      {"instance":"ports","name":"tap"}
      {"kind":"frame","instance":"ports","seq":1}
      {"kind":"open","viewModel":"kit.faults"}
      {"instance":"faults","name":"throwNow","seq":2}
      {"instance":"faults","name":"log","value":"noted"}
      {"kind":"open","viewModel":"kit.random","config":{"sides":20,"label":null}}
      {"instance":"random","name":"roll","value":3}
      {"instance":"random","name":"where"}
      {"kind":"open","viewModel":"kit.effects"}
      {"instance":"effects","name":"ping"}
      {"kind":"reply","instance":"effects","id":1,"seq":3}

      """#)

  private static let echo = SampleSession(
    name: "echo", plugins: ["echo.so"],
    lines: #"""
      {"name":"say","value":"hello","seq":0}
      {"name":"say","value":{"a":[1,2.5,null,true]}}
      {"kind":"frame"}

      """#)
}

/// A value of JSON in the source of a Python program.
enum PythonText {
  static func of(_ json: String) throws -> String {
    of(try JSONValue(parsing: Array(json.utf8).span))
  }

  private static func of(_ value: JSONValue) -> String {
    switch value {
    case .null: "None"
    case .bool(let value): value ? "True" : "False"
    case .number, .string: value.canonicalText
    case .array(let elements): "[\(elements.map(of).joined(separator: ", "))]"
    case .object(let members):
      "{"
        + members.map { "\(JSONValue.string($0.key).canonicalText): \(of($0.value))" }
        .joined(separator: ", ") + "}"
    }
  }
}
