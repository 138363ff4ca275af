import Foundation
import TestSupport
import Testing

/// Secrets in recordings and in transcripts by hand: both play again without them.
struct RecordedSecretTests {
  private static let key = "s3cr3t/k+y &\"x"
  private static let search = ChildProcess.Input.text("> didSearch \"batman\"\n+ idle\n")

  /// Tells in its answer all that a server may know of a key.
  private static func answer(_ request: HTTPRequest) -> HTTPResponse {
    let forms = [request.query ?? "", Data(key.utf8).base64EncodedString(), "user:\(key)"]
    let overview = forms.joined(separator: " ") + Data("user:\(key)".utf8).base64EncodedString()
    let page: [String: Any] = [
      "page": 1, "total_pages": 1, "results": [["id": 7, "title": key, "overview": overview]],
    ]
    guard let json = try? JSONSerialization.data(withJSONObject: page) else {
      preconditionFailure("these are strings and numbers")
    }
    return .json(String(decoding: json, as: UTF8.self))
  }

  /// A search that is recorded from a server which is gone afterwards.
  private static func record(
    _ config: String, _ secrets: [String], in directory: TemporaryDirectory
  ) async throws -> (recording: Recording, queries: [String]) {
    try await LoopbackServer.with(answer) { server in
      let config = config.replacing("URL", with: server.url)
      let recording = try await Recording.of(
        ["run", "movies.so", "--format", "text", "--config", config] + secrets, search,
        environment: ["TMDB_KEY": key], in: directory)
      #expect(recording.output.status == .success, "\(recording.output.stderr)")
      return (recording, server.requests.map { $0.query ?? "" })
    }
  }

  @Test(
    arguments: [
      #"{"apiBase":"URL","source":"tmdb"}"#,
      #"{"apiBase":"URL","apiKey":"$secret:tmdb","source":"tmdb"}"#,
    ])
  func `a recording passes as a test without the server and the key, and has no form of it`(
    _ config: String
  ) async throws {
    try await TemporaryDirectory.with { directory in
      let (recording, queries) = try await Self.record(
        config, ["--secret", "tmdb=TMDB_KEY"], in: directory)
      #expect(
        queries == ["query=batman&page=1&api_key=s3cr3t%2Fk%2By%20%26%22x&language=en-US"])
      #expect(recording.text.contains("\"apiKey\":\"$secret:tmdb\""))
      #expect(recording.text.contains("&api_key=SECRET_tmdb&"))
      let encoded = Data(Self.key.utf8).base64EncodedString().prefix(16)
      let shifted = Data("user:\(Self.key)".utf8).base64EncodedString().dropFirst(7).prefix(12)
      for form in ["s3cr3t", "k+y", "k%2B", "%26%22x", "&\\\"x", encoded, shifted] {
        #expect(!recording.text.contains(form), "\(form)")
      }
      try await expectPass("a.vmt", in: directory)
    }
  }

  @Test func `a recording without the secret that a default names passes too`() async throws {
    try await TemporaryDirectory.with { directory in
      let (recording, queries) = try await Self.record(
        #"{"apiBase":"URL","source":"tmdb"}"#, [], in: directory)
      #expect(queries == ["query=batman&page=1&api_key=SECRET_tmdb&language=en-US"])
      #expect(!recording.text.contains("$secret"))
      try await expectPass("a.vmt", in: directory)
    }
  }

  @Test(arguments: ["hunter2", "hunter22", "hunter222", "a very long key, longer than its name"])
  func `a plugin that encodes its secret asks for the same in a replay`(
    _ password: String
  ) async throws {
    try await TemporaryDirectory.with { directory in
      let arguments = ["run", "kitfixture.so", "--view-model", "kit.login"] + Recording.settled
      let recording = try await Recording.of(
        arguments + ["--secret", "password=KEY", "--effect", "http=cat >/dev/null"],
        .text("> login \"https://m.test\"\n! 1 {\"status\":204,\"headers\":{}}\n"),
        environment: ["KEY": password], in: directory)
      #expect(recording.output.status == .success, "\(recording.output.stderr)")
      #expect(recording.text.contains("\"authorization\": \"Basic bWU6SECRET_password\""))
      #expect(recording.text.contains("\"x-open\": \"SECRET_password\""))
      #expect(recording.text.contains("\n< result \"204 bWU6SECRET_password\"\n"))
      try await expectPass("a.vmt", in: directory)
      // The same by the plugin's own config, which names the secret too.
      let config = #" {"password":"$secret:password"}"#
      #expect(recording.text.contains("@open kit.login\(config)\n"))
      try directory.write(recording.text.replacing(config, with: ""), to: "b.vmt")
      try await expectPass("b.vmt", in: directory)
    }
  }

  @Test(arguments: ["", #","apiKey":"$secret:tmdb""#, #","apiKey":"SECRET_tmdb""#])
  func `a transcript by hand has the secret wherever it comes from`(
    _ member: String
  ) async throws {
    try await TemporaryDirectory.with { directory in
      let text = try Repository.text("Tests/Transcripts/movies/list-search.vmt")
      let config = #"{"apiKey":"$secret:tmdb","source":"tmdb"}"#
      let parts = text.split(separator: config)
      try #require(parts.count == 2)
      try directory.write(
        parts.joined(separator: "{\"source\":\"tmdb\"\(member)}"), to: "a.vmt")
      try await expectPass("a.vmt", in: directory)
      let replay = try await VMHostRun.output(
        ["replay", "a.vmt"], workingDirectory: directory.path)
      #expect(replay.stdout.contains("&api_key=SECRET_tmdb&"))
      #expect(replay.status == .success)
    }
  }
}
