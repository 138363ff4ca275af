import HostCore

extension StepDifferenceCase {
  static let requests: [StepDifferenceCase] = [
    StepDifferenceCase(
      "another request",
      expected: #"""
        ? 1 http {"method":"GET","url":"https://api.themoviedb.org/3/search/movie?query=batm\#
        an&page=1&api_key=SECRET_tmdb&language=en-US"}
        """#,
      found: #"""
        ? 1 http {"method":"GET","url":"https://api.themoviedb.org/3/search/movie?query=batm\#
        an&page=2&api_key=SECRET_tmdb&language=en-US"}
        """#,
      kind: .mismatch, line: 11,
      summary: #"""
        request 1 http is another one: expected url …earch/movie?query=batman&page=1&api_key\#
        =SECRET_tmdb&language…, found …earch/movie?query=batman&page=2&api_key=SECRET_tmdb&l\#
        anguage…
        """#,
      text: #"""
          ? 1 http {
              "method": "GET",
        -     "url": "https://api.themoviedb.org/3/search/movie?query=batman&page=1&api_key=\#
        SECRET_tmdb&language=en-US"
        +     "url": "https://api.themoviedb.org/3/search/movie?query=batman&page=2&api_key=\#
        SECRET_tmdb&language=en-US"
                                                                                  ^
            }
        """#),
    StepDifferenceCase(
      "another long request",
      expected: #"""
        ? 1 http {"method":"GET","url":"https://example.org/path/path/path/path/path/path/pa\#
        th/path/path/path/path/path/path/path/path/path/path/path/path/path/path/path/path/p\#
        ath/path/path/path/path/path/path/path/path/path/path/path/path/path/path/path/path/\#
        ?page=1"}
        """#,
      found: #"""
        ? 1 http {"method":"GET","url":"https://example.org/path/path/path/path/path/path/pa\#
        th/path/path/path/path/path/path/path/path/path/path/path/path/path/path/path/path/p\#
        ath/path/path/path/path/path/path/path/path/path/path/path/path/path/path/path/path/\#
        ?page=2"}
        """#,
      kind: .mismatch, line: 11,
      summary: #"""
        request 1 http is another one: expected url …ath/path/path/path/path/?page=1", found\#
         …ath/path/path/path/path/?page=2"
        """#,
      text: #"""
          ? 1 http {
              "method": "GET",
        -     "url": …ath/path/path/path/path/?page=1"
        +     "url": …ath/path/path/path/path/?page=2"
                                                    ^
            }
        """#),
    StepDifferenceCase(
      "another method",
      expected: #"""
        ? 1 http {"method":"GET","url":"https://a/"}
        """#,
      found: #"""
        ? 1 http {"method":"POST","url":"https://a/"}
        """#,
      kind: .mismatch, line: 11,
      summary: #"""
        request 1 http is another one: expected {"method":"GET","url":"https://a/"}, found {\#
        "method":"POST","url":"https://a/"}
        """#,
      text: #"""
        - ? 1 http {"method":"GET","url":"https://a/"}
        + ? 1 http {"method":"POST","url":"https://a/"}
        """#),
    StepDifferenceCase(
      "one request more",
      expected: #"""
        ? 1 http {"method":"GET","url":"https://api.themoviedb.org/3/search/movie?query=batm\#
        an&page=1&api_key=SECRET_tmdb&language=en-US"}
        """#,
      found: #"""
        ? 1 http {"method":"GET","url":"https://api.themoviedb.org/3/search/movie?query=batm\#
        an&page=1&api_key=SECRET_tmdb&language=en-US"}
        ? 2 http {"method":"GET","url":"https://api.themoviedb.org/3/search/movie?query=batm\#
        an&page=2&api_key=SECRET_tmdb&language=en-US"}
        """#,
      kind: .extra, line: 11,
      summary: #"""
        the plugin made one more request: found ? 2 http {"method":"GET","url":"https://api.\#
        themoviedb.org/3/search/movie?query=…; the nearest, 1 http in line 11, differs in ur\#
        l: …earch/movie?query=batman&page=1&api_key=SECRET_tmdb&language… instead of …earch/\#
        movie?query=batman&page=2&api_key=SECRET_tmdb&language…
        """#,
      text: #"""
          ? 1 http {"method":"GET","url":"https://api.themoviedb.org/3/search/movie?query=ba\#
        tman&page=1&api_ke… (30 more bytes)
        + ? 2 http {
        +     "method": "GET",
        +     "url": "https://api.themoviedb.org/3/search/movie?query=batman&page=2&api_key=\#
        SECRET_tmdb&language=en-US"
        +   }
        """#),
    StepDifferenceCase(
      "one request more, the same",
      expected: #"""
        ? 1 http {"method":"GET","url":"https://a/"}
        """#,
      found: #"""
        ? 1 http {"method":"GET","url":"https://a/"}
        ? 2 http {"method":"GET","url":"https://a/"}
        """#,
      kind: .extra, line: 11,
      summary: #"""
        the plugin made one more request: found ? 2 http {"method":"GET","url":"https://a/"}\#
        , which is the same as 1 http in line 11
        """#,
      text: #"""
          ? 1 http {"method":"GET","url":"https://a/"}
        + ? 2 http {"method":"GET","url":"https://a/"}
        """#),
    StepDifferenceCase(
      "one request more, with another member",
      expected: #"""
        ? 1 http {"method":"GET","url":"https://a/"}
        """#,
      found: #"""
        ? 1 http {"method":"GET","url":"https://a/"}
        ? 2 http {"body":"x","method":"PUT","url":"https://a/"}
        """#,
      kind: .extra, line: 11,
      summary: #"""
        the plugin made one more request: found ? 2 http {"body":"x","method":"PUT","url":"h\#
        ttps://a/"}; the nearest, 1 http in line 11, differs in body, method
        """#,
      text: #"""
          ? 1 http {"method":"GET","url":"https://a/"}
        + ? 2 http {"body":"x","method":"PUT","url":"https://a/"}
        """#),
    StepDifferenceCase(
      "one request fewer",
      expected: #"""
        ? 1 http {"method":"GET","url":"https://a/"}
        < a 1
        """#,
      found: #"""
        < a 1
        """#,
      kind: .missing, line: 11,
      summary: #"""
        the plugin made one request fewer: expected ? 1 http {"method":"GET","url":"https://\#
        a/"}
        """#,
      text: #"""
        - ? 1 http {"method":"GET","url":"https://a/"}
          < a 1
        """#),
    StepDifferenceCase(
      "another number of a request",
      expected: #"""
        ? 1 http {"method":"GET","url":"https://a/"}
        """#,
      found: #"""
        ? 2 http {"method":"GET","url":"https://a/"}
        """#,
      kind: .mismatch, line: 11,
      summary: #"""
        the same request has another number: expected ? 1 http, found ? 2 http
        """#,
      text: #"""
        - ? 1 http {"method":"GET","url":"https://a/"}
        + ? 2 http {"method":"GET","url":"https://a/"}
        """#),
    StepDifferenceCase(
      "another effect",
      expected: #"""
        ? 1 http {"x":1}
        """#,
      found: #"""
        ? 1 geo {"x":1}
        """#,
      kind: .mismatch, line: 11,
      summary: #"""
        the plugin made a request to another effect: expected ? 1 http, found ? 1 geo
        """#,
      text: #"""
        - ? 1 http {"x":1}
        + ? 1 geo {"x":1}
        """#),
    StepDifferenceCase(
      "two requests change places",
      expected: #"""
        ? 1 http {"method":"GET","url":"https://a/"}
        ? 2 http {"method":"GET","url":"https://b/"}
        """#,
      found: #"""
        ? 1 http {"method":"GET","url":"https://b/"}
        ? 2 http {"method":"GET","url":"https://a/"}
        """#,
      kind: .mismatch, line: 11,
      summary: #"""
        request 1 http is another one: expected {"method":"GET","url":"https://a/"}, found {\#
        "method":"GET","url":"https://b/"} (and 1 more difference)
        """#,
      text: #"""
        - ? 1 http {"method":"GET","url":"https://a/"}
        + ? 1 http {"method":"GET","url":"https://b/"}
        - ? 2 http {"method":"GET","url":"https://b/"}
        + ? 2 http {"method":"GET","url":"https://a/"}
        """#),
    StepDifferenceCase(
      "an output instead of a cancel",
      expected: #"""
        x 1
        """#,
      found: #"""
        < a 1
        """#,
      kind: .mismatch, line: 11,
      summary: #"""
        expected x 1, but the plugin didn't cancel that request (and 1 more difference)
        """#,
      text: #"""
        - x 1
        + < a 1
        """#),
    StepDifferenceCase(
      "a cancel is missing",
      expected: #"""
        < a 1
        x 1
        """#,
      found: #"""
        < a 1
        """#,
      kind: .missing, line: 12,
      summary: #"""
        expected x 1, but the plugin didn't cancel that request
        """#,
      text: #"""
          < a 1
        - x 1
        """#),
    StepDifferenceCase(
      "a cancel is extra",
      expected: #"""
        < a 1
        """#,
      found: #"""
        < a 1
        x list.1
        """#,
      kind: .extra, line: 11,
      summary: #"""
        found x list.1: the plugin cancelled a request unexpectedly
        """#,
      text: #"""
          < a 1
        + x list.1
        """#),
    StepDifferenceCase(
      "another cancel",
      expected: #"""
        x 1
        """#,
      found: #"""
        x 2
        """#,
      kind: .mismatch, line: 11,
      summary: #"""
        expected x 1, found x 2
        """#,
      text: #"""
        - x 1
        + x 2
        """#),
  ]
}
