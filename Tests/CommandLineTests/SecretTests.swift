import TestSupport
import Testing

/// Keys that must show nowhere, over real HTTP.
struct SecretTests {
  static let page = #"{"page":1,"total_pages":1,"results":[{"id":7,"title":"Batman & co"}]}"#

  static func arguments(_ server: LoopbackServer, _ more: String...) -> [String] {
    [
      "run", "movies.so", "--format", "text", "--config",
      "{\"source\":\"tmdb\",\"apiBase\":\"\(server.url)\"}",
      "--secret", "tmdb=TMDB_KEY",
    ] + more
  }

  @Test(arguments: ["text", "jsonl"])
  func `gives the server the key and shows it to nobody`(_ format: String) async throws {
    let key = "s3cr3t/k+y &\"x"
    try await LoopbackServer.with { request in
      // A server that tells the key back, as error pages do.
      .json(Self.page.replacing("Batman", with: request.query ?? ""))
    } run: { server in
      var arguments = Self.arguments(server)
      arguments[3] = format
      let output = try await VMHostRun.output(
        arguments, SearchTests.search, environment: ["TMDB_KEY": key])
      #expect(output.status == .success)
      #expect(output.stderr == "")
      #expect(output.stdout.contains("api_key=SECRET_tmdb&language=en-US"))
      for form in [key, "s3cr3t", "k%2By", "k+y"] {
        #expect(!output.stdout.contains(form), "\(form)")
      }
      let requests = server.requests
      #expect(requests.count == 1)
      #expect(
        requests.first?.query
          == "query=batman&page=1&api_key=s3cr3t%2Fk%2By%20%26%22x&language=en-US")
    }
  }

  @Test func `hides the key in errors too`() async throws {
    let output = try await VMHostRun.output(
      Arguments.echo + ["--secret", "a=KEY"], .text("> say \"s3cr3t\"\n> s3cr3t 1\n"),
      environment: ["KEY": "s3cr3t"])
    #expect(output.stdout == "< said \"SECRET_a\"\n")
    #expect(
      output.stderr == """
        vmhost: <stdin>:2:3: echo has no input "SECRET_a".
          2 | > SECRET_a 1
            |   ^

        """)
    #expect(output.status == .exited(2))
  }
}
