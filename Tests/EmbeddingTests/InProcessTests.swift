import Foundation
import HostCore
import TestSupport
import Testing

/// Plugins in the app's own process.
struct InProcessTests {
  @Test func `sessions that share a library take turns in it`() async throws {
    // A copy is a library of its own: other tests call the built one in this process too.
    try await TemporaryDirectory.with { folder in
      let copy = folder.file("libshared.so")
      try FileManager.default.copyItem(atPath: BuildProducts.library("kitfixture"), toPath: copy)
      let link = folder.file("liblink.so")
      try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: copy)
      let other = folder.file("libother.so")
      try FileManager.default.linkItem(atPath: copy, toPath: other)
      try await withThrowingTaskGroup(of: Void.self) { group in
        for path in [copy, link, other, copy] {
          group.addTask { try await Self.use(path) }
        }
        try await group.waitForAll()
      }
    }
  }

  @Test func `ends a session whose timers leave no time to pass`() async throws {
    try await TemporaryDirectory.with { folder in
      let copy = folder.file("libspin.so")
      var limits = StepLimits()
      limits.requests = 1000
      try FileManager.default.copyItem(atPath: BuildProducts.library("kitfixture"), toPath: copy)
      let session = try await Host(isolation: .inProcess).session(
        plugins: [copy], options: SessionOptions(clock: .virtual, limits: limits))
      let ticker = try await session.open("kit.ticker")
      try await ticker.send("spin")
      #expect(
        await words { try await session.advance(by: .seconds(1)) } == """
          brokenPlugin: \(copy) broke its contract at the reply to "timer": ticker (kit.ticker): \
          it made more than 1000 requests in one step. "--limit requests=NUMBER" allows more.
          """)
    }
  }

  private static func use(_ path: String) async throws {
    let session = try await Host(isolation: .inProcess).session(
      plugins: [path], options: SessionOptions(clock: .virtual))
    #expect(session.plugins[0].digest == nil)
    let works = try await session.open("kit.works")
    let outputs = works.outputs()
    for number in 0..<500 { try await works.send("queued", "\(number)") }
    try await session.idle()
    #expect(try await session.time == .seconds(500))
    await session.close()
    let said = try await lines(of: outputs).filter { !$0.hasPrefix("busy ") }
    let expected = (0..<500).flatMap { ["began \"\($0)\"", "ended \"\($0)\""] }
    // Not `said == expected` as it stands: showing how long lists differ takes minutes.
    let isAsExpected = said == expected
    #expect(isAsExpected, "\(said.count) lines, the last \(said.last ?? "none")")
  }
}
