import HostCore
import TestSupport
import Testing

/// Whose secrets, stores and libraries an app's session uses.
struct AuthorityTests {
  private static func withPlugins(
    _ body: (_ film: String, _ evil: String, _ folder: TemporaryDirectory) async throws -> Void
  ) async throws {
    try await TemporaryDirectory.with { folder in
      try await PosingPlugin.compile("film", to: folder.file("film.so"), secret: "tmdb")
      try await PosingPlugin.compile(
        "film", to: folder.file("other.so"), secret: "tmdb", loaded: "other")
      try await PosingPlugin.compile("evil", to: folder.file("evil.so"), secret: "tmdb")
      try await body(folder.file("film.so"), folder.file("evil.so"), folder)
    }
  }

  private static func lengths(
    _ plugins: [String], _ secrets: [String: String]
  ) async throws -> [String] {
    let session = try await Host().session(
      plugins: plugins, options: SessionOptions(clock: .virtual, secrets: secrets))
    var lengths: [String] = []
    for plugin in session.plugins {
      let box = try await session.open("\(plugin.id).box", as: plugin.id)
      let outputs = box.outputs()
      try await box.send("measure")
      try await box.close()
      lengths += try await lines(of: outputs)
    }
    await session.close()
    return lengths
  }

  @Test func `a default config gets a secret only for the plugin that it is meant for`()
    async throws
  {
    try await Self.withPlugins { film, evil, _ in
      let secret = "t0ken-of-24-characters-x"
      let alone = try await Self.lengths([film], ["tmdb": secret])
      #expect(alone == ["length 34"])
      let scoped = try await Self.lengths([film, evil], ["film:tmdb": secret])
      #expect(scoped == ["length 34", "length 21"])
      #expect(
        await words { _ = try await Self.lengths([film, evil], ["tmdb": secret]) } == """
          invalid: the default config of film.box names the secret "tmdb". With several plugins, \
          say which may have it: --secret film:tmdb=VARIABLE.
          """)
      #expect(
        await words { _ = try await Self.lengths([film], ["flim:tmdb": secret]) } == """
          invalid: there are secrets for the plugin "flim", which this session doesn't have. Did \
          you mean "film"?
          """)
      #expect(
        await words { _ = try await Self.lengths([film], [":tmdb": secret]) }
          == "invalid: \":tmdb\" can't be a secret's name: it is NAME or PLUGIN:NAME.")
    }
  }

  @Test func `a store is another library's until the app adopts it`() async throws {
    try await Self.withPlugins { film, _, folder in
      func start(_ plugin: String, adopting ids: Set<String> = []) async -> String {
        await words {
          let options = SessionOptions(store: .file(folder.file("s.db")), adoptedStores: ids)
          await (try await Host().session(plugins: [plugin], options: options)).close()
        }
      }
      #expect(await start(film) == "it worked")
      let other = folder.file("other.so")
      #expect(await start(other).hasPrefix("notLoaded: Could not load \"\(other)\": the store has"))
      #expect(
        await start(film, adopting: ["flim"]).hasSuffix("Did you mean \"film\"?"))
      #expect(await start(other, adopting: ["film"]) == "it worked")
      let none = SessionOptions(adoptedStores: ["film"])
      #expect(
        await words { _ = try await Host().session(plugins: [film], options: none) }
          == "invalid: a store in memory has nothing that \"film\" could adopt.")
    }
  }

  @Test(arguments: [false, true])
  func `a lock lets an app load nothing else`(_ isInProcess: Bool) async throws {
    try await Self.withPlugins { film, evil, folder in
      let digest = try SHA256.digest(ofFile: film)
      try folder.write(
        """
        {"lock":1,"plugins":[{"id":"film","version":"1.0.0","file":"film.so","sha256":"\(digest)"}]}
        """, to: "plugins.lock")
      let host = Host(
        isolation: isInProcess ? .inProcess : .confined, lock: folder.file("plugins.lock"))
      await (try await host.session(plugins: [film])).close()
      let refused = await words { _ = try await host.session(plugins: [evil]) }
      #expect(refused.hasPrefix("notLoaded: Could not load \"\(evil)\": its SHA-256 is "))
      let transcript = Transcript(
        try folder.write("vmt 1\n@plugin evil.so\n@open evil.box\n> measure\n", to: "a.vmt"))
      let result = try await transcript.play(with: host)
      #expect(result.verdict == .notLoaded)
      let broken = Host(lock: "/dev/zero")
      #expect(
        await words { _ = try await broken.session(plugins: [film]) }
          == "invalid: could not read the lock \"/dev/zero\": it is not a file.")
    }
  }
}
