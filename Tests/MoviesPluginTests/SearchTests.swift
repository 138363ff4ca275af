import CanonicalJSON
import Testing

extension MoviesPluginTests {
  @Suite struct SearchTests {
    @Test func `shows a spinner, asks for the first page, and shows what came`() throws {
      let list = try Driver.list()
      #expect(
        try list.send("didSearch", "batman") == [
          "< items []", #"< loading "fullScreen""#, #"< query "batman""#, Samples.url("batman"),
        ])
      #expect(
        try list.reply(Samples.reply(Samples.page(1, of: 1, "Batman", "Batman Returns"))) == [
          Samples.items("Batman", "Batman Returns"), "< isEmpty false", #"< loading "none""#,
        ])
      #expect(list.pending.isEmpty)
    }

    @Test func `does the same for a query that was selected`() throws {
      let list = try Driver.list()
      #expect(
        try list.send("didSelectQuery", "batman") == [
          "< items []", #"< loading "fullScreen""#, #"< query "batman""#, Samples.url("batman"),
        ])
    }

    @Test(arguments: ["didSearch", "didSelectQuery"])
    func `ignores an empty query`(input: String) throws {
      let list = try Driver.list()
      #expect(try list.send(input, "").isEmpty)
      #expect(list.trace == list.firstFrame)
    }

    @Test func `ignores that its view was loaded`() throws {
      #expect(try Driver.list().send("viewDidLoad").isEmpty)
    }

    @Test(
      arguments: [
        (" ", "%20"), ("a b", "a%20b"), ("a&b=c", "a%26b%3Dc"), ("A-z_0.9~", "A-z_0.9~"),
        ("é", "%C3%A9"), ("e\u{301}", "e%CC%81"), ("100%", "100%25"), ("a+b", "a%2Bb"),
        ("\u{1F987}", "%F0%9F%A6%87"),
        ("/?#[]@!$'()*,;:", "%2F%3F%23%5B%5D%40%21%24%27%28%29%2A%2C%3B%3A"),
      ])
    func `keeps blanks and encodes every byte that isn't unreserved`(
      query: String, encoded: String
    ) throws {
      #expect(try Driver.list().send("didSearch", .string(query)).last == Samples.url(encoded))
    }

    @Test func `builds the request from the config, all of it encoded`() throws {
      let list = try Driver(
        "movies.list",
        config: [
          "source": "tmdb", "apiBase": "http://127.0.0.1:8080/base", "apiKey": "a b&c",
          "language": "es_ES/x",
        ])
      #expect(
        try list.send("didSearch", "x").last
          == "? http GET http://127.0.0.1:8080/base/3/search/movie"
          + "?query=x&page=1&api_key=a%20b%26c&language=es_ES%2Fx")
    }

    @Test func `forgets the results of before when a new search begins`() throws {
      let list = try Driver.list()
      _ = try list.search("one", Samples.page(1, of: 1, "One"))
      #expect(
        try list.send("didSearch", "two") == [
          "< items []", "< isEmpty true", #"< loading "fullScreen""#, #"< query "two""#,
          Samples.url("two"),
        ])
    }

    @Test func `no results is an empty list and no error`() throws {
      let storage = StorageDouble()
      let list = try Driver.list(storage: storage)
      #expect(
        try list.search("zzz", Samples.page(1, of: 1)).suffix(2)
          == ["< items []", #"< loading "none""#])
      #expect(storage.values["recent-queries"] == ["queries": ["zzz"]])
    }

    @Test func `a newer search cancels the one that runs`() throws {
      let list = try Driver.list()
      _ = try list.send("didSearch", "one")
      #expect(
        try list.send("didSearch", "two") == [
          "< items []", #"< loading "fullScreen""#, #"< query "two""#, "x http",
          Samples.url("two"),
        ])
      #expect(list.pending == ["http"])
      #expect(
        try list.reply(Samples.reply(Samples.page(1, of: 1, "Two"))) == [
          Samples.items("Two"), "< isEmpty false", #"< loading "none""#,
        ])
    }

    @Test func `a newer search cancels a next page that is on its way`() throws {
      let list = try Driver.list()
      _ = try list.search("one", Samples.page(1, of: 2, "One"))
      _ = try list.send("didLoadNextPage")
      #expect(
        try list.send("didSearch", "two") == [
          "< items []", "< isEmpty true", #"< loading "fullScreen""#, #"< query "two""#, "x http",
          Samples.url("two"),
        ])
      #expect(
        try list.reply(Samples.reply(Samples.page(1, of: 1, "Two"))).first == Samples.items("Two"))
    }

    @Test func `a search for the same query again is a new search`() throws {
      let list = try Driver.list()
      _ = try list.send("didSearch", "one")
      #expect(try list.send("didSearch", "one").contains("x http"))
      #expect(list.pending == ["http"])
    }

    @Test func `cancelling stops the spinner and leaves everything else`() throws {
      let list = try Driver.list()
      _ = try list.send("didSearch", "one")
      #expect(try list.send("didCancelSearch") == ["x http", #"< loading "none""#])
      #expect(list.pending.isEmpty)
      #expect(list.storage.values.isEmpty)
      #expect(try list.send("didCancelSearch").isEmpty)
    }

    @Test func `cancelling a next page keeps the items and asks for that page later`() throws {
      let list = try Driver.list()
      _ = try list.search("one", Samples.page(1, of: 3, "One"))
      _ = try list.send("didLoadNextPage")
      #expect(try list.send("didCancelSearch") == ["x http", #"< loading "none""#])
      #expect(try list.send("didLoadNextPage").last == Samples.url("one", page: 2))
      #expect(
        try list.reply(Samples.reply(Samples.page(2, of: 3, "Two"))).first
          == Samples.items("One", "Two"))
    }

    @Test func `cancelling when nothing is loading does nothing`() throws {
      let list = try Driver.list()
      #expect(try list.send("didCancelSearch").isEmpty)
      _ = try list.search("one", Samples.page(1, of: 1, "One"))
      #expect(try list.send("didCancelSearch").isEmpty)
    }

    @Test func `shows and closes the suggestions by a signal and nothing else`() throws {
      let list = try Driver.list()
      #expect(try list.send("showQueriesSuggestions") == ["< showMovieQueriesSuggestions"])
      #expect(try list.send("closeQueriesSuggestions") == ["< closeMovieQueriesSuggestions"])
    }

    @Test(
      arguments: [("didSearch", 1), ("didSelectItem", "0"), ("didSelectItem", 0.5)]
        as [(String, JSONValue)])
    func `refuses a value of another kind and goes on`(input: String, value: JSONValue) throws {
      let list = try Driver.list()
      let error = #expect(throws: DriverError.self) { try list.send(input, value) }
      #expect(error?.description.hasPrefix("-5: ") == true)
      #expect(try list.send("didSearch", "x").last == Samples.url("x"))
    }
  }
}
