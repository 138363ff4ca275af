import HostCore
import Testing

/// Each transcript beside this file is a test of the built plugin.
struct TranscriptTests {
  private static let folder = String(#filePath).dropLast("TranscriptTests.swift".count)

  @Test(arguments: try Transcript.all(in: "\(folder)Transcripts"))
  func `plays as it is written`(transcript: Transcript) async throws {
    let result = try await transcript.play()
    if let reason = result.skipReason { try Test.cancel("\(reason)") }
    #expect(result.verdict == .passed, "\(result)")
  }
}
