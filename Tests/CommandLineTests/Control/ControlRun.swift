import CanonicalJSON
import TestSupport
import Testing

/// Sessions that a front end controls by lines of JSON.
enum ControlRun {
  /// What comes out, each line as an object.
  static func lines(
    _ arguments: [String], _ input: [String], environment: [String: String] = [:],
    workingDirectory: String? = nil
  ) async throws -> [JSONValue] {
    let output = try await VMHostRun.output(
      arguments, .text(input.map { "\($0)\n" }.joined()), environment: environment,
      workingDirectory: workingDirectory)
    #expect(output.status == .success)
    return try output.stdout.split(separator: "\n").map {
      try JSONValue(parsing: Array($0.utf8).span)
    }
  }

  /// The lines of some kinds, in canonical form.
  static func texts(_ lines: [JSONValue], of kinds: String...) -> [String] {
    lines.filter { kinds.contains($0["kind"]?.stringValue ?? "") }.map(\.canonicalText)
  }

  /// The code and message of each refusal.
  static func refusals(_ lines: [JSONValue]) -> [String] {
    lines.filter { $0["kind"]?.stringValue == "refused" }.map {
      "\($0["code"]?.stringValue ?? ""): \($0["message"]?.stringValue ?? "")"
    }
  }

  /// Tests a transcript that a session gave.
  static func test(_ text: String, in directory: TemporaryDirectory) async throws {
    let file = directory.file("saved.vmt")
    try directory.write(text, to: "saved.vmt")
    let output = try await VMHostRun.output(["test", file])
    #expect(output.stdout.contains("1 passed"))
    #expect(output.status == .success, "\(output.stdout)\(output.stderr)")
  }
}
