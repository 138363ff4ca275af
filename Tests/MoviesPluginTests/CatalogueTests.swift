import CanonicalJSON
import Testing

extension MoviesPluginTests {
  @Suite struct CatalogueTests {
    @Test func `answers a search after a fifth of a second`() throws {
      let list = try Driver("movies.list")
      #expect(
        try list.send("didSearch", "batman") == [
          "< items []", #"< loading "fullScreen""#, #"< query "batman""#, "? timer 200ms",
        ])
      let shown = try list.fireTimer()
      #expect(shown.dropFirst() == ["< isEmpty false", #"< loading "none""#])
      #expect(
        try titles(shown) == ["Batman", "Batman Returns", "Batman Begins", "The Batman"])
      #expect(list.pending.isEmpty)
    }

    @Test func `shows a film's facts`() throws {
      let list = try Driver("movies.list")
      _ = try list.send("didSearch", "batman begins")
      #expect(
        try list.fireTimer().first
          == #"< items [{"overview":"An orphaned heir trains abroad and comes home to turn fear "#
          + #"on those who use it.","posterImagePath":null,"#
          + #""releaseDate":"Release Date: Jun 15, 2005","title":"Batman Begins"}]"#)
    }

    @Test(arguments: ["BATMAN", "bAtMaN", "atma"])
    func `finds any part of a title, whatever the case`(query: String) throws {
      #expect(try everyPage(of: query).flatMap(\.self).count == 4)
    }

    @Test(arguments: [("AMÉLIE", "Amélie"), ("wall·e", "WALL·E")])
    func `ignores the case of letters beyond ASCII too`(query: String, title: String) throws {
      #expect(try everyPage(of: query) == [[title]])
    }

    @Test(arguments: ["the", "star"])
    func `has several pages for common words`(query: String) throws {
      let pages = try everyPage(of: query)
      #expect(pages.count >= 3)
      #expect(pages.dropLast().allSatisfy { $0.count == 10 })
      #expect(!(try #require(pages.last).isEmpty))
      let titles = pages.flatMap(\.self)
      #expect(titles.allSatisfy { $0.lowercased().contains(query) })
      #expect(Set(titles).count == titles.count)
    }

    @Test func `holds at least 66 films, each with all its facts, oldest first`() throws {
      let list = try Driver("movies.list")
      var lines = try list.send("didSearch", "e") + list.fireTimer()
      while try !list.send("didLoadNextPage").isEmpty {
        let more = try list.fireTimer()
        try #require(try titles(more).count > titles(lines.suffix(3)).count, "No end of pages.")
        lines = more
      }
      let items = try #require(lines.last { $0.hasPrefix("< items ") })
      let films = try JSONValue(parsing: Array(items.dropFirst(8).utf8).span).arrayValue ?? []
      #expect(films.count >= 66)
      var dates: [String] = []
      for (index, film) in films.enumerated() {
        #expect(film["overview"]?.stringValue?.hasSuffix(".") == true)
        let details = try list.send("didSelectItem", .number(JSONNumber(index)))
        let json = try #require(details.first).dropFirst("< showMovieDetails ".count)
        let movie = try JSONValue(parsing: Array(json.utf8).span)
        dates.append(try #require(movie["releaseDate"]?.stringValue, "\(film)"))
      }
      #expect(dates == dates.sorted())
    }

    @Test func `finds nothing in one empty page`() throws {
      let list = try Driver("movies.list")
      _ = try list.send("didSearch", "xyzzy")
      #expect(try list.fireTimer() == ["< items []", #"< loading "none""#])
      #expect(try list.send("didLoadNextPage").isEmpty)
      #expect(list.storage.values["recent-queries"] == ["queries": ["xyzzy"]])
    }

    @Test func `is cached and cancelled like any source`() throws {
      let list = try Driver("movies.list")
      _ = try list.send("didSearch", "batman")
      #expect(try list.send("didSearch", "jaws").contains("x timer"))
      let fresh = try list.fireTimer()
      #expect(try titles(fresh) == ["Jaws"])
      #expect(
        try list.send("didSearch", "jaws") == [
          "< items []", "< isEmpty true", #"< loading "fullScreen""#, #"< query "jaws""#,
          fresh[0], "< isEmpty false", "? timer 200ms",
        ])
      #expect(try list.send("didCancelSearch") == ["x timer", #"< loading "none""#])
    }

    /// Searches and loads page after page; gives the titles that each one added.
    private func everyPage(of query: String) throws -> [[String]] {
      let list = try Driver("movies.list")
      _ = try list.send("didSearch", .string(query))
      var pages: [[String]] = []
      repeat {
        let added = try titles(try list.fireTimer()).dropFirst(pages.joined().count)
        try #require(!added.isEmpty, "No end of pages.")
        pages.append(Array(added))
      } while try !list.send("didLoadNextPage").isEmpty
      return pages
    }

    private func titles(_ lines: [String]) throws -> [String] {
      let line = try #require(lines.first { $0.hasPrefix("< items ") })
      let rows = try JSONValue(parsing: Array(line.dropFirst("< items ".count).utf8).span)
      return rows.arrayValue?.compactMap { $0["title"]?.stringValue } ?? []
    }
  }
}
