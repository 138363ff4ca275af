import CanonicalJSON
import Testing

extension MoviesPluginTests {
  @Suite struct PosterTests {
    @Test(
      arguments: [
        (Int.min, 92), (-1, 92), (0, 92), (92, 92), (123, 92), (124, 154), (169, 154), (170, 185),
        (263, 185), (264, 342), (421, 342), (422, 500), (640, 500), (641, 780), (780, 780),
        (5000, 780), (Int.max, 780),
      ])
    func `asks for the nearest width, the smaller on a tie`(width: Int, nearest: Int) throws {
      #expect(
        try details().send("updatePosterImage", .number(JSONNumber(width)))
          == ["? http GET https://image.tmdb.org/t/p/w\(nearest)/p.jpg"])
    }

    @Test func `asks the server of the config`() throws {
      #expect(
        try details(imageBase: "http://127.0.0.1:8080").send("updatePosterImage", 500)
          == ["? http GET http://127.0.0.1:8080/t/p/w500/p.jpg"])
    }

    @Test(
      arguments: [
        (#""base64":"/+8A""#, "/+8A"), (#""base64":"AA==""#, "AA=="), (#""base64":"AAA=""#, "AAA="),
        (#""base64":"""#, ""), (#""text":"<svg/>""#, "PHN2Zy8+"), (#""text":"é""#, "w6k="),
        (#""body":[1]"#, "WzFd"),
      ])
    func `shows the image, however it travelled`(body: String, base64: String) throws {
      let details = try details()
      _ = try details.send("updatePosterImage", 92)
      #expect(
        try details.reply(#"{"headers":{},"status":200,\#(body)}"#)
          == [#"< posterImage {"base64":"\#(base64)"}"#])
      #expect(details.pending.isEmpty)
    }

    @Test(arguments: [301, 404, 500])
    func `a status that is no success leaves the old image, silently`(status: Int) throws {
      let details = try details()
      _ = try details.send("updatePosterImage", 92)
      #expect(
        try details.reply(#"{"base64":"AAAA","headers":{},"status":\#(status)}"#).isEmpty)
      #expect(details.pending.isEmpty)
    }

    @Test(arguments: ["offline", "timeout", "invalid-url"])
    func `a failure leaves the old image, silently, and the next layout asks again`(
      code: String
    ) throws {
      let details = try details()
      _ = try details.send("updatePosterImage", 92)
      #expect(try details.fail(code: code).isEmpty)
      #expect(try details.send("updatePosterImage", 92).count == 1)
    }

    @Test func `a reply that makes no sense leaves the old image, silently`() throws {
      let details = try details()
      _ = try details.send("updatePosterImage", 92)
      #expect(try details.reply(#"{"base64":"!","headers":{},"status":200}"#).isEmpty)
    }

    @Test func `the latest layout cancels the request of the one before`() throws {
      let details = try details()
      _ = try details.send("updatePosterImage", 92)
      #expect(
        try details.send("updatePosterImage", 780) == [
          "x http", "? http GET https://image.tmdb.org/t/p/w780/p.jpg",
        ])
      #expect(
        try details.reply(#"{"base64":"AAAA","headers":{},"status":206}"#)
          == [#"< posterImage {"base64":"AAAA"}"#])
      #expect(details.pending.isEmpty)
    }

    @Test(arguments: [["id": "1"], ["id": "1", "posterPath": ""], .null] as [JSONValue])
    func `asks for nothing without a path`(movie: JSONValue) throws {
      let details = try Driver("movies.details", config: ["movie": movie])
      #expect(try details.send("updatePosterImage", 92).isEmpty)
    }

    private func details(imageBase: String = "https://image.tmdb.org") throws -> Driver {
      try Driver(
        "movies.details",
        config: [
          "imageBase": .string(imageBase), "movie": ["id": "1", "posterPath": "/p.jpg"],
        ])
    }
  }
}
