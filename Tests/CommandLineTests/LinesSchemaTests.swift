import HostCore
import TestSupport
import Testing

/// The published schema of JSON Lines, beside what vmhost reads and the documentation says.
struct LinesSchemaTests {
  @Test(arguments: [
    #"{"name":"a"}"#, #"{"kind":"input","instance":"a","name":"b","value":null,"seq":0}"#,
    #"{"kind":"reply","id":1}"#, #"{"kind":"reply","instance":"a","id":1,"value":[],"seq":1}"#,
    #"{"kind":"error","id":1,"code":"offline"}"#,
    #"{"kind":"error","instance":"a","id":1,"code":"offline","message":"no","seq":1}"#,
    #"{"kind":"advance","by":"idle"}"#, #"{"kind":"advance","by":"300ms","seq":1}"#,
    #"{"kind":"open","viewModel":"a.b"}"#,
    #"{"kind":"open","viewModel":"a.b","instance":"c","config":{},"seq":1}"#,
    #"{"kind":"close","instance":"a"}"#, #"{"kind":"close","instance":"a","seq":1}"#,
    #"{"kind":"frame"}"#, #"{"kind":"frame","instance":"a","seq":9007199254740991}"#,
    #"{"kind":"go","step":0}"#, #"{"kind":"go","step":12,"seq":1}"#,
    #"{"kind":"go","step":0,"branch":1}"#, #"{"branch":7,"kind":"go","step":12,"seq":1}"#,
    #"{"kind":"describe"}"#, #"{"kind":"describe","seq":1}"#, #"{"kind":"save","seq":1}"#,
    #"{"kind":"time"}"#, #"{"kind":"time","mode":"live"}"#, #"{"kind":"time","mode":"paused"}"#,
    #"{"kind":"time","to":"timer","seq":1}"#, #"{"kind":"hold"}"#,
    #"{"kind":"hold","effect":"http","on":true,"seq":1}"#, #"{"kind":"ask","id":1}"#,
    #"{"kind":"hold","on":false,"effect":"a.b"}"#, #"{"kind":"ask","instance":"a","id":2,"seq":1}"#,
  ])
  func `takes the lines that vmhost takes`(_ line: String) throws {
    _ = try ScriptLine.parse(Array(line.utf8).span)
    #expect(try LinesSchema.shared.get().allowsIn(line))
  }

  @Test(arguments: [
    "", "7", "[]", "{}", #"{"kind":"dance"}"#, #"{"kind":"input"}"#, #"{"kind":"input","name":7}"#,
    #"{"name":"a","id":1}"#, #"{"name":"a","seq":-1}"#, #"{"name":"a","seq":1.5}"#,
    #"{"name":"a","seq":"1"}"#, #"{"name":"a","seq":9007199254740992}"#,
    #"{"name":"a","instance":"b c"}"#, #"{"name":"a","instance":""}"#,
    #"{"kind":"reply"}"#, #"{"kind":"reply","id":0}"#, #"{"kind":"reply","id":"1"}"#,
    #"{"kind":"error","id":1}"#, #"{"kind":"error","id":1,"code":7}"#, #"{"kind":"advance"}"#,
    #"{"kind":"advance","by":3}"#, #"{"kind":"open"}"#, #"{"kind":"open","viewModel":7}"#,
    #"{"kind":"close"}"#, #"{"kind":"frame","states":{}}"#, #"{"kind":"go"}"#,
    #"{"kind":"describe","instance":"a"}"#, #"{"kind":"save","name":"a.vmt"}"#,
    #"{"kind":"time","mode":"slow"}"#, #"{"kind":"time","mode":true}"#,
    #"{"kind":"time","mode":null}"#, #"{"kind":"time","to":"idle"}"#, #"{"kind":"time","to":1}"#,
    #"{"kind":"time","mode":"live","to":"timer"}"#, #"{"kind":"time","by":"1s"}"#,
    #"{"kind":"hold","effect":"http"}"#, #"{"kind":"hold","on":true}"#, #"{"kind":"ask"}"#,
    #"{"kind":"hold","effect":"http","on":1}"#, #"{"kind":"hold","effect":7,"on":true}"#,
    #"{"kind":"hold","effect":"http","on":"true"}"#, #"{"kind":"ask","id":-1}"#,
    #"{"kind":"ask","id":1,"effect":"http"}"#, #"{"kind":"ask","id":1.5}"#,
    #"{"kind":"save","seq":"1"}"#, #"{"kind":"go","step":-1}"#, #"{"kind":"go","step":"a"}"#,
    #"{"kind":"go","step":1.5}"#, #"{"kind":"go","branch":1}"#,
    #"{"kind":"go","step":1,"branch":0}"#, #"{"kind":"go","step":1,"branch":"1"}"#,
    #"{"kind":"go","step":1,"branch":1.5}"#, #"{"kind":"close","instance":"a","branch":1}"#,
  ])
  func `refuses the lines that vmhost refuses`(_ line: String) throws {
    let parsed = try? ScriptLine.parse(Array(line.utf8).span)
    #expect(parsed == nil || parsed == .nothing)
    #expect(try !LinesSchema.shared.get().allowsIn(line))
  }

  @Test func `has the codes of refusals that the documentation and the code have`() throws {
    let codes = RefusalCode.allCases.map(\.rawValue)
    #expect(try LinesSchema.shared.get().codes == codes)
    let page = try Repository.text("Documentation/CommandLine.md")
    let table = page.split(separator: "| code | means |").last ?? ""
    let rows = table.split(separator: "\n").dropFirst().prefix { $0.hasPrefix("| `") }
    #expect(rows.map { "\($0.split(separator: "`")[1])" } == codes)
  }

  @Test(arguments: [
    #"{"kind":"done","t":0,"seq":1}"#, #"{"kind":"refused","t":0,"code":"value","message":"m"}"#,
    #"{"kind":"refused","t":0,"seq":1,"code":"odd","message":"m"}"#,
    #"{"kind":"log","t":0,"level":"debug","message":"m"}"#, #"{"kind":"output","t":-1}"#,
  ])
  func `refuses lines that vmhost never prints`(_ line: String) throws {
    #expect(try !LinesSchema.shared.get().allowsOut(line))
  }
}
