import Foundation
import TestSupport
import Testing

/// The page for those who know URLSession, Combine and tasks, and the plugin that it quotes.
@Suite struct HabitsTests {
  private static let example = "Examples/Habits"

  @Test func `the code on the page is the plugin's, of each of its view models`() throws {
    let parts = try Repository.text("Documentation/Habits.md").split(separator: "```swift\n")
    var quoted: [String] = []
    for (text, block) in zip(parts, parts.dropFirst()) {
      let mark = try #require(text.split(separator: "\n").last)
      let file = try #require(mark.split(separator: " ").dropFirst(2).first.map(String.init))
      let code = try #require(block.split(separator: "```").first)
      #expect(mark == "<!-- file: \(file) -->")
      #expect(try Repository.text(file).contains(code), "\(file)")
      quoted.append(file)
    }
    let files = try FileManager.default.contentsOfDirectory(
      atPath: "\(Repository.root())/\(Self.example)")
    let viewModels = files.filter { $0.hasSuffix("ViewModel.swift") }
    #expect(quoted.sorted() == viewModels.sorted().map { "\(Self.example)/\($0)" })
  }

  @Test func `it does as its transcripts say every time, at each of its ports`() async throws {
    let output = try await VMHostRun.output(
      ["test", Self.example, "--repeat", "3", "--port-coverage-min", "100"],
      workingDirectory: Repository.root())
    #expect(output.lines.first?.hasPrefix("4 passed in ") == true, "\(output.stdout)")
    #expect(output.status == .success, "\(output.stderr)")
  }

  @Test func `what the page says is refused is what Determinism md says`() throws {
    let page = try Repository.text("Documentation/Habits.md")
    let refused = try Repository.text("Documentation/Determinism.md").split(separator: "\n")
      .filter { $0.hasSuffix("| refused |") }
    let names = ["URLSession", "UserDefaults", "FileManager", "DispatchQueue", "Thread", "RunLoop"]
    for name in names {
      #expect(page.contains(name))
      #expect(refused.contains { $0.contains(name) }, "\(name)")
    }
  }
}
