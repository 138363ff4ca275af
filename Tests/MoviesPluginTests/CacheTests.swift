import CanonicalJSON
import Testing

extension MoviesPluginTests {
  @Suite struct CacheTests {
    @Test func `shows the cached page at once, and asks all the same`() throws {
      let storage = StorageDouble()
      _ = try Driver.list(storage: storage).search("x", Samples.page(1, of: 1, "Old"))
      let list = try Driver.list(storage: storage)
      #expect(
        try list.send("didSearch", "x") == [
          "< items []", #"< loading "fullScreen""#, #"< query "x""#, Samples.items("Old"),
          "< isEmpty false", Samples.url("x"),
        ])
      #expect(
        try list.reply(Samples.reply(Samples.page(1, of: 1, "New"))) == [
          Samples.items("New"), #"< loading "none""#,
        ])
    }

    @Test func `looks into the cache first and saves all before it shows a page`() throws {
      let list = try Driver.list()
      _ = try list.search("x y", Samples.page(1, of: 1, "One"))
      #expect(
        list.trace.dropFirst(list.firstFrame.count) == [
          "< items []", #"< loading "fullScreen""#, #"< query "x y""#,
          "? storage.get responses/1/x%20y", Samples.url("x%20y"),
          "? storage.set responses/1/x%20y", "? storage.get recent-queries",
          "? storage.set recent-queries", Samples.items("One"), "< isEmpty false",
          #"< loading "none""#,
        ])
    }

    @Test func `keeps the page as it came, its order included, and overwrites it each time`() throws
    {
      let storage = StorageDouble()
      let list = try Driver.list(storage: storage)
      let page = Samples.page(1, of: 4, "B", "A", "C")
      _ = try list.search("x", page)
      #expect(storage.values["responses/1/x"] == page)
      let later = Samples.page(1, of: 5, "C", "B")
      _ = try list.search("x", later)
      #expect(storage.values["responses/1/x"] == later)
    }

    @Test func `keeps every member of a result`() throws {
      let storage = StorageDouble()
      let page = Samples.page(result: [
        "id": 1, "title": "T", "overview": "O", "poster_path": "/p", "genre": "science_fiction",
        "release_date": "2005-06-15",
      ])
      _ = try Driver.list(storage: storage).search("x", page)
      let list = try Driver.list(storage: storage)
      _ = try list.send("didSearch", "x")
      #expect(storage.values["responses/1/x"] == page)
      #expect(
        try list.send("didSelectItem", 0) == [
          #"< showMovieDetails {"genre":"science_fiction","id":"1","overview":"O","#
            + #""posterPath":"/p","releaseDate":"2005-06-15","title":"T"}"#
        ])
    }

    @Test(arguments: [("x", "X"), ("x", "x "), ("1/x", "x"), ("a%20b", "a b"), ("é", "e\u{301}")])
    func `keeps the pages of different queries apart`(one: String, other: String) throws {
      let storage = StorageDouble()
      let list = try Driver.list(storage: storage)
      _ = try list.search(one, Samples.page(1, of: 1, "One"))
      #expect(!(try list.send("didSearch", .string(other)).contains(Samples.items("One"))))
      _ = try list.reply(Samples.reply(Samples.page(1, of: 1, "Other")))
      #expect(storage.values.keys.filter { $0.hasPrefix("responses/") }.count == 2)
      #expect(try list.send("didSearch", .string(one)).contains(Samples.items("One")))
    }

    @Test func `keeps the pages of one query apart`() throws {
      let storage = StorageDouble()
      let list = try Driver.list(storage: storage)
      _ = try list.search("x", Samples.page(1, of: 2, "One"))
      _ = try list.send("didLoadNextPage")
      _ = try list.reply(Samples.reply(Samples.page(2, of: 2, "Two")))
      let again = try Driver.list(storage: storage)
      #expect(try again.send("didSearch", "x").contains(Samples.items("One")))
      _ = try again.reply(Samples.reply(Samples.page(1, of: 2, "New one")))
      #expect(
        try again.send("didLoadNextPage") == [
          #"< loading "nextPage""#, #"< query "x""#, Samples.items("New one", "Two"),
          Samples.url("x", page: 2),
        ])
      #expect(
        try again.reply(Samples.reply(Samples.page(2, of: 2, "New two"))) == [
          Samples.items("New one", "New two"), #"< loading "none""#,
        ])
    }

    @Test func `leaves the cached page when the network fails, and asks for it again`() throws {
      let storage = StorageDouble(["responses/1/x": Samples.page(1, of: 1, "Old")])
      let list = try Driver.list(storage: storage)
      _ = try list.send("didSearch", "x")
      #expect(
        try list.fail(code: "offline") == [
          #"< error "No internet connection""#, #"< loading "none""#,
        ])
      #expect(storage.values["recent-queries"] == nil)
      #expect(
        try list.send("didLoadNextPage") == [
          #"< loading "nextPage""#, #"< query "x""#, Samples.items("Old"), Samples.url("x"),
        ])
      #expect(
        try list.reply(Samples.reply(Samples.page(1, of: 1, "New"))) == [
          Samples.items("New"), #"< loading "none""#,
        ])
    }

    @Test func `a page that is empty now replaces the cached one`() throws {
      let storage = StorageDouble(["responses/1/x": Samples.page(1, of: 3, "Old")])
      let list = try Driver.list(storage: storage)
      _ = try list.send("didSearch", "x")
      #expect(
        try list.reply(Samples.reply(Samples.page(1, of: 0))) == [
          "< items []", "< isEmpty true", #"< loading "none""#,
        ])
    }

    @Test(
      arguments: [
        1, "x", [], [:], ["page": 1], ["page": 1, "total_pages": 1, "results": [["id": "1"]]],
        ["page": 1, "total_pages": 1, "results": [["id": 1, "genre": "western"]]],
      ] as [JSONValue])
    func `a record that can't be read counts as a miss and is replaced`(record: JSONValue) throws {
      let storage = StorageDouble(["responses/1/x": record])
      let list = try Driver.list(storage: storage)
      #expect(
        try list.send("didSearch", "x") == [
          "< items []", #"< loading "fullScreen""#, #"< query "x""#, Samples.url("x"),
        ])
      #expect(list.warnings.count == 1)
      let page = Samples.page(1, of: 1, "One")
      _ = try list.reply(Samples.reply(page))
      #expect(storage.values["responses/1/x"] == page)
    }

    @Test(arguments: ["storage.get", "storage.set"])
    func `a storage that fails costs no page`(effect: String) throws {
      let list = try Driver.list()
      list.storage.failing = [effect]
      #expect(
        try list.search("x", Samples.page(1, of: 1, "One")) == [
          "< items []", #"< loading "fullScreen""#, #"< query "x""#, Samples.url("x"),
          Samples.items("One"), "< isEmpty false", #"< loading "none""#,
        ])
      #expect(list.warnings.count == 2)
      #expect(list.pending.isEmpty)
    }

    @Test func `a cached page of an overtaken search never appears`() throws {
      let storage = StorageDouble(["responses/1/x": Samples.page(1, of: 1, "Old")])
      let list = try Driver.list(storage: storage)
      list.holdsStorage = true
      _ = try list.send("didSearch", "x")
      list.holdsStorage = false
      #expect(
        try list.send("didSearch", "y") == [
          "< items []", #"< loading "fullScreen""#, #"< query "y""#, Samples.url("y"),
        ])
      #expect(list.trace.contains("x storage.get"))
    }

    @Test func `a fresh page that is overtaken while it is saved never appears`() throws {
      let list = try Driver.list()
      _ = try list.send("didSearch", "x")
      list.holdsStorage = true
      #expect(try list.reply(Samples.reply(Samples.page(1, of: 1, "Stale"))).isEmpty)
      #expect(list.pending == ["storage.set"])
      #expect(try list.send("didCancelSearch") == [#"< loading "none""#])
      #expect(list.pending.isEmpty)
      #expect(list.storage.values.isEmpty)
    }
  }
}
