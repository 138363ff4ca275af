import Glibc
import HostCore
import TestSupport
import Testing

/// Real processes that answer, and those that don't.
struct EffectProviderTests {
  init() {
    // As vmhost does: a write to a process that has gone is an error and not the end.
    _ = signal(SIGPIPE, SIG_IGN)
  }

  private static func shell(_ script: String) -> EffectProvider {
    EffectProvider(effect: "printer", command: .shell(script))
  }

  /// Waits for at least `count` messages.
  private static func receive(
    _ count: Int, from provider: EffectProvider
  ) throws -> [EffectProvider.Message] {
    var messages = provider.receive()
    while messages.count < count {
      var interests = provider.interests
      try Descriptor.wait(for: &interests, timeout: 60_000_000_000)
      guard interests.contains(where: \.isReady) else { return messages }
      messages += provider.receive()
    }
    return messages
  }

  private static func send(_ id: UInt64, _ value: String, to provider: EffectProvider) {
    provider.send(id: id, value: Array(value.utf8).span)
  }

  private static func failure(_ id: UInt64, _ why: String) -> EffectProvider.Message {
    .failure(
      id: id, code: "failed", message: "the provider of \"printer\" failed: \(why)")
  }

  private static func warning(_ why: String) -> EffectProvider.Message {
    .log(level: "warning", text: why)
  }

  @Test func `gets requests as lines and gives replies`() throws {
    let provider = Self.shell(
      """
      while read line; do
        echo '{"kind":"reply","id":'$((id += 1))',"value":'"$line"'}'
      done
      """)
    defer { provider.finish() }
    Self.send(1, "{\"a\":1}", to: provider)
    Self.send(2, "", to: provider)
    let messages = try Self.receive(2, from: provider)
    let first = "{\"effect\":\"printer\",\"id\":1,\"kind\":\"request\",\"value\":{\"a\":1}}"
    let second = "{\"effect\":\"printer\",\"id\":2,\"kind\":\"request\"}"
    #expect(
      messages == [
        .reply(id: 1, value: Array(first.utf8)), .reply(id: 2, value: Array(second.utf8)),
      ])
  }

  @Test func `gives errors and logs, and replies without a value`() throws {
    let provider = Self.shell(
      """
      read line
      echo '{"kind":"log","level":"debug","message":"hm"}'
      echo '{"kind":"log"}'
      echo '{"kind":"error","id":1,"code":"offline","message":"no route"}'
      read line
      echo '{"id":2,"kind":"reply"}'
      """)
    defer { provider.finish() }
    Self.send(1, "{}", to: provider)
    Self.send(2, "{}", to: provider)
    #expect(
      try Self.receive(4, from: provider) == [
        .log(level: "debug", text: "hm"), .log(level: "info", text: ""),
        .failure(id: 1, code: "offline", message: "no route"), .reply(id: 2, value: []),
      ])
  }

  @Test func `garbage is complained of and changes nothing`() throws {
    let provider = Self.shell(
      """
      read line
      echo 'hello'; echo; echo '[]'; echo '{"kind":"dance"}'; echo '{"kind":"reply","id":99}'
      echo '{"kind":"reply","id":"1"}'; echo '{"kind":"reply","id":1,"value":7}'
      """)
    defer { provider.finish() }
    Self.send(1, "{}", to: provider)
    let messages = try Self.receive(4, from: provider)
    let unknown = Self.warning("it sent a line of an unknown kind")
    #expect(
      messages == [
        Self.warning("it sent a line that isn't JSON"), unknown, unknown,
        .reply(id: 1, value: Array("7".utf8)),
      ])
  }

  @Test(arguments: [
    ("exit 3", "exit status 3"), ("kill -9 $$", "signal 9"), ("read line; exit 0", "exit status 0"),
  ])
  func `what waits for a provider that ends fails, and it starts anew`(
    _ script: String, _ end: String
  ) throws {
    let provider = Self.shell(script)
    for round in [UInt64(1), 3] {
      Self.send(round, "{}", to: provider)
      Self.send(round + 1, "{}", to: provider)
      let why = "it ended (\(end))"
      #expect(
        try Self.receive(3, from: provider) == [
          Self.warning(why), Self.failure(round, why), Self.failure(round + 1, why),
        ])
    }
  }

  @Test func `a program that can't be started fails its requests`() {
    let provider = EffectProvider(effect: "printer", command: .executable("/nowhere/printer"))
    Self.send(1, "{}", to: provider)
    let why = "\"/nowhere/printer\" could not be started: No such file or directory"
    #expect(provider.hasPendingMessages)
    #expect(provider.receive() == [Self.warning(why), Self.failure(1, why)])
    #expect(!provider.hasPendingMessages)
  }

  @Test func `a cancelled request is told, and its reply comes too late`() throws {
    let provider = Self.shell(
      """
      read line; read line
      echo '{"kind":"reply","id":1}'; echo '{"kind":"log","message":"'"$(echo $line | tr '"' .)"'"}'
      """)
    defer { provider.finish() }
    Self.send(1, "{}", to: provider)
    provider.cancel(id: 1)
    provider.cancel(id: 1)
    #expect(
      try Self.receive(1, from: provider) == [
        .log(level: "info", text: "{.kind.:.cancel.,.id.:1}")
      ])
  }

  @Test func `takes a large value both ways without a deadlock`() throws {
    let provider = Self.shell("head -c 3000000 >/dev/null; cat")
    defer { provider.finish() }
    let large = "\"" + String(repeating: "x", count: 4_000_000) + "\""
    Self.send(1, large, to: provider)
    Self.send(2, "{\"kind\":\"no\"}", to: provider)
    let messages = try Self.receive(2, from: provider)
    #expect(messages.first == Self.warning("it sent a line that isn't JSON"))
  }

  @Test func `ends with its standard input`() throws {
    let provider = Self.shell("read line; echo '{\"kind\":\"reply\",\"id\":1}'; cat; exit 4")
    Self.send(1, "{}", to: provider)
    #expect(try Self.receive(1, from: provider) == [.reply(id: 1, value: [])])
    #expect(provider.finish() == "exit status 4")
    #expect(provider.finish() == "was not running")
  }

  @Test func `is killed when it doesn't end`() throws {
    let provider = Self.shell(
      "trap '' TERM; echo '{\"kind\":\"log\"}'; while :; do sleep 60; done")
    Self.send(1, "{}", to: provider)
    _ = try Self.receive(1, from: provider)
    #expect(provider.finish() == "signal 9")
  }

  @Test func `a provider that was never asked never runs`() {
    let provider = Self.shell("touch /nowhere/at/all; exit 1")
    #expect(provider.interests.isEmpty)
    #expect(provider.finish() == "was not running")
  }
}
