import CanonicalJSON
import Testing

extension MoviesPluginTests {
  @Suite struct FailureTests {
    @Test(
      arguments: [
        ("offline", "No internet connection"), ("timeout", "Failed loading movies"),
        ("cancelled", "Failed loading movies"), ("invalid-url", "Failed loading movies"),
        ("too-large", "Failed loading movies"), ("something-new", "Failed loading movies"),
      ])
    func `only a request that failed offline means no connection`(
      code: String, text: String
    ) throws {
      let list = try Driver.list()
      _ = try list.send("didSearch", "x")
      #expect(try list.fail(code: code) == [#"< error "\#(text)""#, #"< loading "none""#])
      #expect(list.pending.isEmpty)
      #expect(list.storage.values.isEmpty)
    }

    @Test(arguments: [301, 400, 401, 404, 429, 500, 503])
    func `a status that is no success failed, whatever the body`(status: Int) throws {
      let list = try Driver.list()
      _ = try list.send("didSearch", "x")
      let body = Samples.page(1, of: 1, "Not to be shown")
      #expect(
        try list.reply(Samples.reply(body, status: status)) == [
          #"< error "Failed loading movies""#, #"< loading "none""#,
        ])
      #expect(list.storage.values.isEmpty)
    }

    @Test(
      arguments: [
        [], .null, "page", 1, [:], ["page": 1, "total_pages": 1], ["page": 1, "results": []],
        ["total_pages": 1, "results": []], ["page": .null, "total_pages": 1, "results": []],
        ["page": "1", "total_pages": 1, "results": []],
        ["page": 1.5, "total_pages": 1, "results": []],
        ["page": 1, "total_pages": 1, "results": .null],
        ["page": 1, "total_pages": 1, "results": [:]],
        ["page": 1, "total_pages": 1, "results": [1]],
      ] as [JSONValue])
    func `a body without its required members is unreadable`(body: JSONValue) throws {
      try expectUnreadable(Samples.reply(body))
    }

    @Test(
      arguments: [
        [:], ["id": .null], ["id": "1"], ["id": 1.5], ["title": "no id"], ["id": 1, "title": 5],
        ["id": 1, "poster_path": 5], ["id": 1, "overview": []], ["id": 1, "release_date": 2005],
        ["id": 1, "genre": "western"], ["id": 1, "genre": ""], ["id": 1, "genre": "Adventure"],
        ["id": 1, "genre": 1],
      ] as [JSONValue])
    func `one result of another shape makes the body unreadable`(result: JSONValue) throws {
      try expectUnreadable(Samples.reply(Samples.page(result: result)))
    }

    @Test(
      arguments: [
        #"{"headers":{},"status":200,"text":"<html>"}"#, #"{"headers":{},"status":200}"#,
        #"{"base64":"AAAA","headers":{},"status":200}"#, #"{"headers":{}}"#, "[]", "",
      ])
    func `a reply that holds no JSON is unreadable`(reply: String) throws {
      try expectUnreadable(reply)
    }

    private func expectUnreadable(_ reply: String) throws {
      let list = try Driver.list()
      _ = try list.send("didSearch", "x")
      #expect(
        try list.reply(reply) == [#"< error "Failed loading movies""#, #"< loading "none""#])
      #expect(list.storage.values.isEmpty)
    }

    @Test func `says the same error each time`() throws {
      let list = try Driver.list()
      for _ in 1...3 {
        _ = try list.send("didSearch", "x")
        #expect(
          try list.fail(code: "timeout") == [
            #"< error "Failed loading movies""#, #"< loading "none""#,
          ])
      }
    }

    @Test func `leaves the items when a next page fails`() throws {
      let list = try Driver.list()
      _ = try list.search("x", Samples.page(1, of: 2, "One"))
      _ = try list.send("didLoadNextPage")
      #expect(
        try list.fail(code: "offline") == [
          #"< error "No internet connection""#, #"< loading "none""#,
        ])
      _ = try list.send("didLoadNextPage")
      #expect(
        try list.reply(Samples.reply(Samples.page(2, of: 2, "Two"))).first
          == Samples.items("One", "Two"))
    }

    @Test func `fails in Spanish where Spanish is spoken`() throws {
      let list = try Driver("movies.list", config: Samples.tmdb, locale: "es_ES")
      _ = try list.send("didSearch", "x")
      #expect(try list.fail(code: "offline").first == #"< error "Sin conexión a Internet""#)
      _ = try list.send("didSearch", "x")
      #expect(
        try list.fail(code: "timeout").first == #"< error "No se pudieron cargar las películas""#)
    }
  }
}
