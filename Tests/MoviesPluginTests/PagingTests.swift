import CanonicalJSON
import Testing

extension MoviesPluginTests {
  @Suite struct PagingTests {
    @Test func `loads page after page, shows them all in load order, and stops`() throws {
      let list = try Driver.list()
      _ = try list.search("x", Samples.page(1, of: 3, "One"))
      #expect(
        try list.send("didLoadNextPage") == [
          #"< loading "nextPage""#, #"< query "x""#, Samples.url("x", page: 2),
        ])
      #expect(
        try list.reply(Samples.reply(Samples.page(2, of: 3, "Two"))) == [
          Samples.items("One", "Two"), #"< loading "none""#,
        ])
      _ = try list.send("didLoadNextPage")
      #expect(
        try list.reply(Samples.reply(Samples.page(3, of: 3, "Three"))) == [
          Samples.items("One", "Two", "Three"), #"< loading "none""#,
        ])
      #expect(try list.send("didLoadNextPage").isEmpty)
    }

    @Test func `ignores a next page before any search and while one is loading`() throws {
      let list = try Driver.list()
      #expect(try list.send("didLoadNextPage").isEmpty)
      _ = try list.send("didSearch", "x")
      #expect(try list.send("didLoadNextPage").isEmpty)
      _ = try list.reply(Samples.reply(Samples.page(1, of: 2, "One")))
      _ = try list.send("didLoadNextPage")
      #expect(try list.send("didLoadNextPage").isEmpty)
      #expect(list.pending == ["http"])
    }

    @Test(arguments: [0, 1])
    func `knows no further page after an empty result`(total: Int) throws {
      let list = try Driver.list()
      _ = try list.search("x", Samples.page(1, of: total))
      #expect(try list.send("didLoadNextPage").isEmpty)
    }

    @Test func `believes the freshest page about how many there are`() throws {
      let list = try Driver.list()
      _ = try list.search("x", Samples.page(1, of: 5, "One"))
      _ = try list.send("didLoadNextPage")
      _ = try list.reply(Samples.reply(Samples.page(2, of: 2, "Two")))
      #expect(try list.send("didLoadNextPage").isEmpty)
    }

    @Test func `asks for the first page again after it failed`() throws {
      let list = try Driver.list()
      _ = try list.send("didSearch", "x")
      _ = try list.fail(code: "timeout")
      #expect(
        try list.send("didLoadNextPage") == [
          #"< loading "nextPage""#, #"< query "x""#, Samples.url("x"),
        ])
      #expect(
        try list.reply(Samples.reply(Samples.page(1, of: 1, "One"))) == [
          Samples.items("One"), "< isEmpty false", #"< loading "none""#,
        ])
      #expect(try list.send("didLoadNextPage").isEmpty)
    }

    @Test func `begins at page one again with a new search`() throws {
      let list = try Driver.list()
      _ = try list.search("x", Samples.page(1, of: 3, "One"))
      _ = try list.send("didLoadNextPage")
      _ = try list.reply(Samples.reply(Samples.page(2, of: 3, "Two")))
      #expect(try list.send("didSearch", "y").last == Samples.url("y"))
    }

    @Test func `survives page numbers that make no sense`() throws {
      let list = try Driver.list()
      for (page, total) in [(Int.max, Int.max), (-3, -7), (0, 0), (Int.max, 1)] {
        _ = try list.search("x", Samples.page(page, of: total, "One"))
        #expect(try list.send("didLoadNextPage").isEmpty)
      }
    }

    @Test func `selects movies across all pages`() throws {
      let list = try Driver.list()
      _ = try list.search("x", Samples.page(1, of: 2, "One", "Two"))
      _ = try list.send("didLoadNextPage")
      let third: JSONValue = [
        "id": 272, "title": "Batman Begins", "genre": "adventure", "poster_path": "/b.jpg",
        "overview": "Fear.", "release_date": "2005-06-15",
      ]
      _ = try list.reply(
        Samples.reply(["page": 2, "total_pages": 2, "results": [third], "more": 1]))
      #expect(
        try list.send("didSelectItem", 2) == [
          #"< showMovieDetails {"genre":"adventure","id":"272","overview":"Fear.","#
            + #""posterPath":"/b.jpg","releaseDate":"2005-06-15","title":"Batman Begins"}"#
        ])
      #expect(
        try list.send("didSelectItem", 1) == [
          #"< showMovieDetails {"genre":null,"id":"2","overview":null,"#
            + #""posterPath":null,"releaseDate":null,"title":"Two"}"#
        ])
    }

    @Test(arguments: [-1, 1, 2, Int.max, Int.min])
    func `ignores a selection that is out of range`(index: Int) throws {
      let list = try Driver.list()
      #expect(try list.send("didSelectItem", .number(JSONNumber(index))).isEmpty)
      _ = try list.search("x", Samples.page(1, of: 1, "One"))
      #expect(try list.send("didSelectItem", .number(JSONNumber(index))).isEmpty)
    }

    @Test func `the details take what the list hands over`() throws {
      let list = try Driver.list()
      let results: [JSONValue] = [
        ["id": 1], ["id": 2, "title": "T", "genre": "science_fiction", "poster_path": "/p"],
      ]
      _ = try list.search("x", ["page": 1, "total_pages": 1, "results": .array(results)])
      for (index, title) in [(0, ""), (1, "T")] {
        let line = try #require(
          try list.send("didSelectItem", .number(JSONNumber(index))).first)
        let json = line.dropFirst("< showMovieDetails ".count)
        let movie = try JSONValue(parsing: Array(json.utf8).span)
        let details = try Driver("movies.details", config: ["movie": movie])
        #expect(details.firstFrame.first == #"< title "\#(title)""#)
      }
    }
  }
}
