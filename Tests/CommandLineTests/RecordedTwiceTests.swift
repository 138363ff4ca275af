import TestSupport
import Testing

/// `run --record` of what is itself a transcript.
struct RecordedTwiceTests {
  @Test(
    arguments: [
      "list-search", "list-next-page", "list-transport-errors", "several-lists", "details-poster",
      "catalogue-latest-search",
    ])
  func `a transcript that is recorded again passes, and its recording says itself`(
    _ name: String
  ) async throws {
    try await TemporaryDirectory.with { directory in
      let script = "\(try Repository.root())/Tests/Transcripts/movies/\(name).vmt"
      // The transcript answers, and not the provider, so that nothing is waited for at the end.
      let arguments =
        ["--clock", "virtual", "--format", "text", "--secret", "tmdb=KEY"]
        + ["--effect", "http=cat >/dev/null"]
      func record(_ script: String, as name: String) async throws -> Recording {
        let recording = try await Recording.of(
          ["run", "--script", script] + arguments, .null, environment: ["KEY": "SECRET_tmdb"],
          in: directory, as: name)
        #expect(recording.output.status == .success)
        #expect(recording.output.stderr == "")
        try await expectPass(name, in: directory)
        return recording
      }
      let first = try await record(script, as: "a.vmt")
      let second = try await record(directory.file("a.vmt"), as: "b.vmt")
      let isSame = first.text == second.text
      #expect(isSame, "\(second.text)")
    }
  }
}
