import CanonicalJSON

/// What the tests send and expect, said once.
enum Samples {
  static let tmdb: JSONValue = ["source": "tmdb", "apiKey": "KEY"]

  static func url(_ query: String, page: Int = 1) -> String {
    "? http GET https://api.themoviedb.org/3/search/movie"
      + "?query=\(query)&page=\(page)&api_key=KEY&language=en-US"
  }

  /// A reply with a status and a JSON body.
  static func reply(_ body: JSONValue, status: Int = 200) -> String {
    let reply: JSONValue = [
      "body": body, "headers": ["content-type": "application/json"],
      "status": .number(JSONNumber(status)),
    ]
    return reply.canonicalText
  }

  /// A response with these titles; the ids are the places in the page.
  static func page(_ page: Int, of total: Int, _ titles: String...) -> JSONValue {
    let results = titles.enumerated().map { index, title -> JSONValue in
      ["id": .number(JSONNumber(index + 1)), "title": .string(title)]
    }
    return [
      "page": .number(JSONNumber(page)), "total_pages": .number(JSONNumber(total)),
      "results": .array(results),
    ]
  }

  /// A response with one result of these members.
  static func page(result: JSONValue) -> JSONValue {
    ["page": 1, "total_pages": 1, "results": [result]]
  }

  /// The line that shows movies of which nothing but the titles is known.
  static func items(_ titles: String...) -> String {
    let rows = titles.map { title -> JSONValue in
      [
        "title": .string(title), "overview": "", "releaseDate": "To be announced",
        "posterImagePath": .null,
      ]
    }
    return "< items \(JSONValue.array(rows))"
  }
}

extension Driver {
  /// A list on the network source.
  static func list(storage: StorageDouble = StorageDouble()) throws -> Driver {
    try Driver("movies.list", config: Samples.tmdb, storage: storage)
  }

  /// Searches and answers the request with one page.
  func search(_ query: String, _ page: JSONValue) throws -> [String] {
    try send("didSearch", .string(query)) + reply(Samples.reply(page))
  }
}
