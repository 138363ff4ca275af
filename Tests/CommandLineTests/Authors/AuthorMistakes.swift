import Foundation
import TestSupport
import Testing

/// The mistakes of `Documentation/Mistakes.md` in parts and values, each made by a real library.
struct AuthorMistakes {
  private static let load = [
    "array", "dictionary", "set", "tuple", "enum", "lazy", "nested-lazy", "init-local", "unused",
    "captured", "static", "inputs", "outputs", "super",
  ]
  private static let open = ["computed", "late-optional", "static-start", "shared", "changing"]
  private static let values = ["nan", "decimal", "url", "data", "date", "uuid", "config"]

  /// In the order of the page.
  static let all: [AuthorMistake] =
    load.map { AuthorMistake(name: $0, telling: .load) }
    + open.map { AuthorMistake(name: $0, telling: .open) }
    + [AuthorMistake(name: "handler", telling: .fault("> tapped", of: "tapped"))]
    + values.map { AuthorMistake(name: $0, telling: .load) }
    + [
      AuthorMistake(name: "stored", telling: .fault("> saved", of: "saved")),
      AuthorMistake(name: "payload", telling: .fault("> chosen", of: "delivery")),
      AuthorMistake(name: "payload-input", telling: .refusal(#"> chosen {"on":{"_0":1}}"#)),
    ]

  private static func rows() throws -> [AuthorMistakeRow] {
    let rows = try AuthorMistakeRow.rows(of: ["Parts of a view model", "Values"])
    try #require(rows.count == all.count)
    return rows
  }

  @Test(arguments: all.indices) func `is told as the page says`(index: Int) async throws {
    let mistake = Self.all[index]
    let expected = mistake.outcome(try Self.rows()[index].message)
    try await TemporaryDirectory.with { folder in
      _ = try FixtureLibrary.copy(of: "mistakenfixture", choosing: mistake.name, in: folder)
      try await VMHostRun.expect(
        ["run", "./mistakenfixture.so"] + Arguments.text, .text(mistake.input),
        workingDirectory: folder.path, stdout: expected.stdout, stderr: expected.stderr,
        status: expected.status)
    }
  }

  @Test(arguments: ["array", "captured", "outputs", "decimal"])
  func `is told in an app's process and by describe alike`(name: String) async throws {
    let index = try #require(Self.all.firstIndex { $0.name == name })
    let expected = Self.all[index].outcome(try Self.rows()[index].message)
    try await TemporaryDirectory.with { folder in
      _ = try FixtureLibrary.copy(of: "mistakenfixture", choosing: name, in: folder)
      for arguments in [["run", "--in-process"] + Arguments.text, ["describe"]] {
        try await VMHostRun.expect(
          arguments + ["./mistakenfixture.so"], workingDirectory: folder.path,
          stderr: expected.stderr, status: expected.status)
      }
    }
  }

  @Test func `the page has the code that is tried`() throws {
    let folder = "Tests/Fixtures/MistakenFixture"
    let names = try FileManager.default.contentsOfDirectory(
      atPath: "\(Repository.root())/\(folder)")
    let code = try names.map { try Repository.text("\(folder)/\($0)") }.joined()
    for row in try Self.rows() { #expect(code.contains(row.written), "\(row.written)") }
  }
}
