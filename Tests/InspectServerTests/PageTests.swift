import CanonicalJSON
import TestSupport
import Testing

/// What a page gets that means well.
struct PageTests {
  private static let headers = """
    Cache-Control: no-store\r
    X-Content-Type-Options: nosniff\r
    Referrer-Policy: no-referrer\r
    Cross-Origin-Resource-Policy: same-origin\r
    Cross-Origin-Opener-Policy: same-origin\r
    X-Frame-Options: DENY\r
    Content-Security-Policy: frame-ancestors 'none'\r

    """

  @Test func `serves the page to whoever asks for this host`() throws {
    try LivePage.with { page in
      for host in ["127.0.0.1", "localhost"] {
        let request = "GET / HTTP/1.1\r\nHost: \(host):\(page.port)\r\nConnection: close\r\n\r\n"
        let answer = try page.answer(request)
        #expect(
          answer
            == "HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n"
            + "Content-Length: \(LivePage.html.utf8.count)\r\n\(Self.headers)"
            + "Connection: close\r\n\r\n\(LivePage.html)")
      }
    }
  }

  @Test func `the page doesn't have the secret, which has 192 bits`() throws {
    let first = try LivePage()
    let second = try LivePage()
    #expect(first.secret != second.secret)
    for page in [first, second] {
      #expect(page.secret.wholeMatch(of: /[0-9a-f]{48}/) != nil)
      #expect(try !page.answer(page.request("GET /", ["Connection: close"])).contains(page.secret))
      try page.end()
    }
  }

  @Test func `streams the session from its beginning and as it goes on`() throws {
    try LivePage.with(lines: [#"{"kind":"session"}"#, #"{"value":"ü 🎬 \u003c"}"#]) { page in
      let client = try page.connect()
      try client.send(page.request("GET /events", ["X-Vmhost-Secret: \(page.secret)"]))
      #expect(
        try client.readAnswerHead()
          == "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\(Self.headers)"
          + "Connection: close\r\n\r\n")
      #expect(try client.readEvent() == "id: 1\ndata: {\"kind\":\"session\"}")
      #expect(try client.readEvent() == #"id: 2"# + "\n" + #"data: {"value":"ü 🎬 \u003c"}"#)
      try page.child.writeLine(#"{"value":""}"#)
      #expect(try client.readEvent() == "id: 3\ndata: {\"value\":\"\"}")
      // It may come in pieces.
      try page.child.write(Array(#"{"value":"#.utf8))
      try page.child.write(Array("[]}\r\n\n{}\n".utf8))
      #expect(try client.readEvent() == "id: 4\ndata: {\"value\":[]}")
      #expect(try client.readEvent() == "id: 5\ndata: {}")
    }
  }

  @Test func `a carriage return in a line can't forge an event`() throws {
    try LivePage.with(lines: ["{\"a\":\r\r1}\r"]) { page in
      let event = try page.events().readEvent()
      #expect(event == "id: 1\ndata: {\"a\":  1}")
    }
  }

  @Test func `a stream goes on after the event that the page had`() throws {
    let lines = (1...5).map { "{\"n\":\($0)}" }
    try LivePage.with(lines: lines) { page in
      for last in 0...4 {
        let event = try page.events(after: last).readEvent()
        #expect(event == "id: \(last + 1)\ndata: {\"n\":\(last + 1)}")
      }
      let client = try page.events(after: 5)
      try page.child.writeLine("{\"n\":6}")
      #expect(try client.readEvent() == "id: 6\ndata: {\"n\":6}")
    }
  }

  @Test func `a page that is loaded again takes the stream over`() throws {
    try LivePage.with(lines: ["{\"n\":1}"]) { page in
      let first = try page.events()
      #expect(try first.readEvent() == "id: 1\ndata: {\"n\":1}")
      let second = try page.events()
      #expect(try second.readEvent() == "id: 1\ndata: {\"n\":1}")
      #expect(
        try first.readToEnd()
          == "event: taken\ndata: {\"kind\":\"taken\",\"message\":"
          + "\"The session is shown in another page now.\"}\n\n")
      try page.child.writeLine("{\"n\":2}")
      #expect(try second.readEvent() == "id: 2\ndata: {\"n\":2}")
    }
  }

  @Test func `says what is forgotten beyond the limit`() throws {
    try LivePage.with(["kept=400"]) { page in
      for number in 1...20 { try page.child.writeLine("{\"n\":\(number)}") }
      // Its answer shows that the lines before it are read.
      let stream = try page.events(after: 0)
      let first = try stream.readEvent()
      let match = try #require(
        first.wholeMatch(of: /event: gone\ndata: {"kind":"gone","next":([0-9]+)}/))
      var number = try #require(Int(match.output.1))
      #expect(number > 10)
      while number <= 20 {
        #expect(try stream.readEvent() == "id: \(number)\ndata: {\"n\":\(number)}")
        number += 1
      }
      try page.child.writeLine("{\"long\":\"\(String(repeating: "x", count: 500))\"}")
      try page.child.writeLine("{\"n\":22}")
      #expect(
        try stream.readEvent() == "event: gone\ndata: {\"kind\":\"gone\",\"next\":22}")
      #expect(try stream.readEvent() == "id: 22\ndata: {\"n\":22}")
    }
  }

  @Test func `a line of 10 MB goes through in both directions`() throws {
    try LivePage.with { page in
      let line = "{\"value\":\"\(String(repeating: "é", count: 5_000_000))\"}"
      let stream = try page.events()
      try page.child.writeLine(line)
      #expect(try stream.readEvent() == "id: 1\ndata: \(line)")
      let client = try page.connect()
      try client.send(page.lines(line + "\n"))
      #expect(try client.readStatus() == "204 No Content")
      #expect(try page.child.readLine() == line)
    }
  }

  @Test func `lines arrive in order, over one connection and several`() throws {
    try LivePage.with { page in
      let client = try page.connect()
      for number in 1...50 {
        let other = try page.connect()
        try client.send(page.lines("{\"a\":\(number)}\n{\"b\":\"ü\"}"))
        #expect(try client.readStatus() == "204 No Content")
        try other.send(page.lines("{\"c\":\(number)}\n", ["Connection: close"]))
        #expect(try other.readToEnd().hasPrefix("HTTP/1.1 204 No Content\r\n"))
        for line in ["{\"a\":\(number)}", "{\"b\":\"ü\"}", "{\"c\":\(number)}"] {
          #expect(try page.child.readLine() == line)
        }
      }
    }
  }

  @Test func `requests that come at once, or in pieces, are served in order`() throws {
    try LivePage.with { page in
      let requests =
        page.lines("{\"n\":1}") + page.request("GET /") + page.lines("{\"n\":2}")
        + page.request("GET /", ["Connection: close"]) + page.lines("{\"n\":3}")
      for size in [requests.utf8.count, 100, 7] {
        let client = try page.connect()
        var rest = Array(requests.utf8)[...]
        while !rest.isEmpty {
          // What comes after the connection is closed needn't be taken.
          try client.send(Array(rest.prefix(size)))
          rest = rest.dropFirst(size)
        }
        #expect(try client.readStatus() == "204 No Content")
        #expect(try client.readStatus() == "200 OK")
        _ = try client.read(count: LivePage.html.utf8.count)
        #expect(try client.readStatus() == "204 No Content")
        #expect(try client.readStatus() == "200 OK")
        #expect(try client.readToEnd() == LivePage.html)
        for number in 1...2 { #expect(try page.child.readLine() == "{\"n\":\(number)}") }
      }
    }
  }

  @Test(arguments: ["Sec-Fetch-Site: none", "Sec-Fetch-Site: same-origin"])
  func `a page is opened by a user, and loaded again`(_ header: String) throws {
    try LivePage.with { page in
      let answer = try page.answer(page.request("GET /", [header, "Connection: close"]))
      #expect(answer.hasPrefix("HTTP/1.1 200 OK\r\n"))
    }
  }

  @Test func `a link on another site opens the page`() throws {
    try LivePage.with { page in
      let headers = [
        "Sec-Fetch-Site: cross-site", "Sec-Fetch-Dest: document", "Connection: close",
      ]
      let answer = try page.answer(page.request("GET /", headers))
      #expect(answer.hasPrefix("HTTP/1.1 200 OK\r\n"))
    }
  }

  @Test func `lines of the own origin need no Origin header if the browser says so`() throws {
    try LivePage.with { page in
      let headers = [
        "X-Vmhost-Secret: \(page.secret)", "Sec-Fetch-Site: same-origin", "Connection: CLOSE",
        "Content-Type: application/x-ndjson",
      ]
      let answer = try page.answer(page.request("POST /lines", headers, body: "{}"))
      #expect(answer.hasPrefix("HTTP/1.1 204 No Content\r\n"))
      #expect(try page.child.readLine() == "{}")
    }
  }
}
