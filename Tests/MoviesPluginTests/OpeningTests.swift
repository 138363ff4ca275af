import CanonicalJSON
import Testing

extension MoviesPluginTests {
  @Suite struct OpeningTests {
    @Test func `opens the list with every state once, in order`() throws {
      #expect(
        try Driver("movies.list").firstFrame == [
          "< items []", "< isEmpty true", #"< loading "none""#, #"< query """#, #"< error """#,
          #"< labels {"emptyDataTitle":"Search results","errorTitle":"Error","#
            + #""screenTitle":"Movies","searchBarPlaceholder":"Search Movies"}"#,
        ])
    }

    @Test(arguments: ["es", "es_ES", "es-MX", "es_ES.UTF-8", "ES"])
    func `speaks Spanish where the locale's language is Spanish`(locale: String) throws {
      #expect(
        try Driver("movies.list", locale: locale).firstFrame.last
          == #"< labels {"emptyDataTitle":"Resultados de la búsqueda","errorTitle":"Error","#
          + #""screenTitle":"Películas","searchBarPlaceholder":"Buscar películas"}"#)
    }

    @Test(arguments: ["est_EE", "en_ES", "", "C"])
    func `speaks English everywhere else`(locale: String) throws {
      let labels = try Driver("movies.list", locale: locale).firstFrame.last
      #expect(labels?.contains(#""screenTitle":"Movies""#) == true)
    }

    @Test func `opens the details with the movie of the config`() throws {
      let movie: JSONValue = [
        "id": "7", "title": "Jaws", "genre": "adventure", "posterPath": "/j.jpg",
        "overview": "A shark.", "releaseDate": "1975-06-20",
      ]
      #expect(
        try Driver("movies.details", config: ["movie": movie]).firstFrame == [
          #"< title "Jaws""#, #"< overview "A shark.""#, "< isPosterImageHidden false",
          "< posterImage null",
        ])
    }

    @Test(
      arguments: [
        [:], ["movie": .null], ["movie": ["id": "7"]], ["movie": ["id": "7", "posterPath": ""]],
      ] as [JSONValue])
    func `opens the details empty and without a poster when nothing is known`(
      config: JSONValue
    ) throws {
      #expect(
        try Driver("movies.details", config: config).firstFrame == [
          #"< title """#, #"< overview """#, "< isPosterImageHidden true", "< posterImage null",
        ])
    }

    @Test func `opens the suggestions empty`() throws {
      #expect(try Driver("movies.suggestions").firstFrame == ["< items []"])
    }

    @Test(arguments: ["movies.list", "movies.details", "movies.suggestions"])
    func `takes the shared config in every view model`(viewModel: String) throws {
      let config: JSONValue = [
        "source": "tmdb", "apiBase": "http://a", "imageBase": "http://b", "apiKey": "k",
        "language": "es-ES",
      ]
      let opened = try Driver(viewModel, config: config)
      #expect(!opened.firstFrame.isEmpty)
    }

    @Test(
      arguments: [
        ("movies.list", ["sauce": "tmdb"]), ("movies.list", ["source": "imdb"]),
        ("movies.list", ["apiKey": 1]), ("movies.list", ["movie": ["id": "1"]]),
        ("movies.details", ["movie": ["id": "1", "genre": "western"]]),
        ("movies.details", ["movie": ["title": "no id"]]),
        ("movies.details", ["source": "imdb"]),
        ("movies.suggestions", ["numberOfQueriesToShow": "ten"]),
        ("movies.suggestions", ["numberOfQueries": 1]),
      ] as [(String, JSONValue)])
    func `refuses a config that it can't use`(viewModel: String, config: JSONValue) {
      let error = #expect(throws: DriverError.self) { try Driver(viewModel, config: config) }
      #expect(error?.description.hasPrefix("-2: ") == true)
    }

    @Test func `describes its view models, ports and requests in the documented order`() throws {
      let json = try MoviesLibrary.manifest()
      let manifest = try JSONValue(parsing: Array(json.utf8).span)
      #expect(manifest["id"] == "movies")
      let viewModels = try #require(manifest["viewModels"]?.arrayValue)
      #expect(
        viewModels.map { $0["id"] } == ["movies.list", "movies.details", "movies.suggestions"])
      let names = { (index: Int, kind: String) in
        viewModels[index][kind]?.arrayValue?.compactMap { $0["name"]?.stringValue }
      }
      #expect(
        names(0, "inputs") == [
          "viewDidLoad", "didSearch", "didLoadNextPage", "didCancelSearch",
          "showQueriesSuggestions", "closeQueriesSuggestions", "didSelectItem", "didSelectQuery",
        ])
      #expect(
        names(0, "signals") == [
          "showMovieDetails", "showMovieQueriesSuggestions", "closeMovieQueriesSuggestions",
        ])
      #expect(names(1, "inputs") == ["updatePosterImage"])
      #expect(names(2, "inputs") == ["viewWillAppear", "didSelect"])
      #expect(names(2, "signals") == ["didSelectQuery"])
    }
  }
}
