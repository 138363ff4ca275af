import CanonicalJSON
import Testing

extension MoviesPluginTests {
  @Suite struct RowTests {
    @Test(
      arguments: [
        ("2005-06-15", "Jun 15, 2005"), ("1972-01-01", "Jan 1, 1972"),
        ("1980-02-29", "Feb 29, 1980"), ("2000-02-29", "Feb 29, 2000"),
        ("1999-03-31", "Mar 31, 1999"), ("2021-04-30", "Apr 30, 2021"),
        ("1977-05-25", "May 25, 1977"), ("2008-07-18", "Jul 18, 2008"),
        ("2014-08-01", "Aug 1, 2014"), ("2002-09-20", "Sep 20, 2002"),
        ("2010-10-01", "Oct 1, 2010"), ("1995-11-22", "Nov 22, 1995"),
        ("2009-12-31", "Dec 31, 2009"), ("0001-01-01", "Jan 1, 1"), ("9999-12-31", "Dec 31, 9999"),
      ])
    func `shows a date as people write it`(received: String, shown: String) throws {
      #expect(
        try row(["id": 1, "release_date": .string(received)])["releaseDate"]
          == .string("Release Date: \(shown)"))
    }

    @Test(
      arguments: [
        "", " ", "2005-02-30", "2005-02-29", "1900-02-29", "2005-13-01", "2005-00-01",
        "2005-01-00", "2005-04-31", "0000-01-01", "2005-6-15", "05-06-15", "2005/06/15",
        "2005-06-15T00:00:00Z", " 2005-06-15", "2005-06-15 ", "+005-06-15", "2005-+6-15",
        "2005-06--5", "15-06-2005", "20050615", "soon", "２００５-06-15",
      ])
    func `says that an unreadable date is to be announced`(received: String) throws {
      #expect(
        try row(["id": 1, "release_date": .string(received)])["releaseDate"] == "To be announced")
    }

    @Test(
      arguments: [
        ("2005-06-15", "Fecha de estreno: 15 jun 2005"),
        ("2005-01-01", "Fecha de estreno: 1 ene 2005"),
        ("2005-09-09", "Fecha de estreno: 9 sept 2005"), ("2005-02-30", "Por anunciar"),
        ("", "Por anunciar"),
      ])
    func `shows dates in Spanish where Spanish is spoken`(received: String, shown: String) throws {
      #expect(
        try row(["id": 1, "release_date": .string(received)], locale: "es_MX")["releaseDate"]
          == .string(shown))
    }

    @Test func `shows what was received, and nothing of the id`() throws {
      #expect(
        try row([
          "id": 9_007_199_254_740_993, "title": "A \"B\" é\u{1F987}", "overview": "C\nD",
          "poster_path": "/x y.jpg", "release_date": "2005-06-15", "genre": "science_fiction",
          "popularity": 1.5,
        ]) == [
          "title": "A \"B\" é\u{1F987}", "overview": "C\nD", "posterImagePath": "/x y.jpg",
          "releaseDate": "Release Date: Jun 15, 2005",
        ])
    }

    @Test(
      arguments: [
        ["id": 1],
        [
          "id": 1, "title": .null, "overview": .null, "poster_path": .null, "release_date": .null,
          "genre": .null,
        ],
      ] as [JSONValue])
    func `shows empty texts for what is missing or null`(result: JSONValue) throws {
      #expect(
        try row(result) == [
          "title": "", "overview": "", "posterImagePath": .null, "releaseDate": "To be announced",
        ])
    }

    @Test func `keeps an empty poster path as it was received`() throws {
      #expect(try row(["id": 1, "poster_path": ""])["posterImagePath"] == "")
    }

    private func row(_ result: JSONValue, locale: String = "en_US") throws -> JSONValue {
      let list = try Driver("movies.list", config: Samples.tmdb, locale: locale)
      _ = try list.send("didSearch", "x")
      let line = try #require(
        try list.reply(Samples.reply(Samples.page(result: result))).first)
      let rows = try JSONValue(parsing: Array(line.dropFirst("< items ".count).utf8).span)
      return try #require(rows[0])
    }
  }
}
