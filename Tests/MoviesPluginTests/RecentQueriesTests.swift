import CanonicalJSON
import Testing

extension MoviesPluginTests {
  @Suite struct RecentQueriesTests {
    @Test func `suggests what was searched for, newest first, each query once`() throws {
      let storage = StorageDouble()
      let suggestions = try Driver("movies.suggestions", storage: storage)
      #expect(try suggestions.send("viewWillAppear") == ["< items []"])
      let list = try Driver.list(storage: storage)
      for query in ["one", "two", "One", "one"] {
        _ = try list.search(query, Samples.page(1, of: 1))
      }
      #expect(
        try suggestions.send("viewWillAppear") == [items("one", "One", "two")])
      #expect(suggestions.pending.isEmpty)
    }

    @Test func `tells queries apart to the byte`() throws {
      let storage = StorageDouble()
      let list = try Driver.list(storage: storage)
      for query in ["é", "e\u{301}", " é"] {
        _ = try list.search(query, Samples.page(1, of: 1))
      }
      let suggestions = try Driver("movies.suggestions", storage: storage)
      #expect(try suggestions.send("viewWillAppear") == [items(" é", "e\u{301}", "é")])
    }

    @Test func `keeps the ten newest`() throws {
      let storage = StorageDouble()
      let list = try Driver.list(storage: storage)
      for number in 1...12 {
        _ = try list.search("q\(number)", Samples.page(1, of: 1))
      }
      #expect(
        storage.values["recent-queries"]?["queries"] == [
          "q12", "q11", "q10", "q9", "q8", "q7", "q6", "q5", "q4", "q3",
        ])
      _ = try list.search("q3", Samples.page(1, of: 1))
      #expect(
        storage.values["recent-queries"]?["queries"] == [
          "q3", "q12", "q11", "q10", "q9", "q8", "q7", "q6", "q5", "q4",
        ])
    }

    @Test func `saves the query with every page that comes`() throws {
      let storage = StorageDouble()
      let list = try Driver.list(storage: storage)
      _ = try list.search("one", Samples.page(1, of: 2))
      _ = try Driver.list(storage: storage).search("two", Samples.page(1, of: 1))
      _ = try list.send("didLoadNextPage")
      _ = try list.reply(Samples.reply(Samples.page(2, of: 2)))
      #expect(storage.values["recent-queries"] == ["queries": ["one", "two"]])
    }

    @Test(arguments: [(0, 0), (-1, 0), (1, 1), (3, 3), (10, 4), (1000, 4)])
    func `shows as many as the config says`(limit: Int, count: Int) throws {
      let all: [JSONValue] = ["d", "c", "b", "a"]
      let suggestions = try Driver(
        "movies.suggestions", config: ["numberOfQueriesToShow": .number(JSONNumber(limit))],
        storage: StorageDouble(["recent-queries": ["queries": .array(all)]]))
      let shown = all.prefix(count).map { ["query": $0] as JSONValue }
      #expect(try suggestions.send("viewWillAppear") == ["< items \(JSONValue.array(shown))"])
    }

    @Test func `a failed read emits nothing, and the next one may succeed`() throws {
      let suggestions = try Driver(
        "movies.suggestions", storage: StorageDouble(["recent-queries": ["queries": ["a"]]]))
      suggestions.storage.failing = ["storage.get"]
      #expect(try suggestions.send("viewWillAppear").isEmpty)
      #expect(suggestions.warnings.count == 1)
      suggestions.storage.failing = []
      #expect(try suggestions.send("viewWillAppear") == [items("a")])
    }

    @Test(arguments: [1, [], ["queries": "a"], ["queries": [1]], [:]] as [JSONValue])
    func `a damaged record emits nothing, and the next search begins anew`(
      record: JSONValue
    ) throws {
      let storage = StorageDouble(["recent-queries": record])
      let suggestions = try Driver("movies.suggestions", storage: storage)
      #expect(try suggestions.send("viewWillAppear").isEmpty)
      _ = try Driver.list(storage: storage).search("b", Samples.page(1, of: 1))
      #expect(try suggestions.send("viewWillAppear") == [items("b")])
    }

    @Test func `leaves the record alone when it can't be read just now`() throws {
      let storage = StorageDouble(["recent-queries": ["queries": ["a"]]])
      storage.failing = ["storage.get"]
      _ = try Driver.list(storage: storage).search("b", Samples.page(1, of: 1))
      #expect(storage.values["recent-queries"] == ["queries": ["a"]])
    }

    @Test func `the latest appearance counts`() throws {
      let suggestions = try Driver("movies.suggestions")
      suggestions.holdsStorage = true
      _ = try suggestions.send("viewWillAppear")
      suggestions.holdsStorage = false
      #expect(try suggestions.send("viewWillAppear") == ["< items []"])
    }

    @Test func `a selection is signalled once, whatever is shown`() throws {
      let suggestions = try Driver("movies.suggestions")
      #expect(
        try suggestions.send("didSelect", ["query": "a b"]) == [#"< didSelectQuery "a b""#])
      #expect(throws: DriverError.self) { try suggestions.send("didSelect", "a b") }
      #expect(throws: DriverError.self) { try suggestions.send("didSelect", [:]) }
    }

    private func items(_ queries: String...) -> String {
      "< items \(JSONValue.array(queries.map { ["query": .string($0)] }))"
    }
  }
}
