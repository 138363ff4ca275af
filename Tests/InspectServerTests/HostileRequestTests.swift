import TestSupport
import Testing

/// Each mistake gets one answer, and the connection ends.
struct HostileRequestTests {
  private func check(_ requests: [HostileRequest]) throws {
    try LivePage.with { page in
      for request in requests {
        let client = try page.connect()
        // What comes after the mistake is never taken for a request.
        let next = Array((page.lines("{\"smuggled\":1}") + page.request("GET /")).utf8)
        try client.send(request.bytes(for: page) + next)
        let message = request.message.replacing("@PORT@", with: "\(page.port)")
        let allowed = message.prefixMatch(of: /The method for .* is (\w+)\./)?.output.1
        #expect(
          try client.readToEnd()
            == "HTTP/1.1 \(request.status)\r\nContent-Type: text/plain; charset=utf-8\r\n"
            + "Content-Length: \(message.utf8.count + 1)\r\n"
            + (allowed.map { "Allow: \($0)\r\n" } ?? "")
            + "Cache-Control: no-store\r\nX-Content-Type-Options: nosniff\r\n"
            + "Referrer-Policy: no-referrer\r\nCross-Origin-Resource-Policy: same-origin\r\n"
            + "Cross-Origin-Opener-Policy: same-origin\r\nX-Frame-Options: DENY\r\n"
            + "Content-Security-Policy: frame-ancestors 'none'\r\nConnection: close\r\n\r\n"
            + "\(message)\n", "\(request.name)")
      }
      #expect(try page.isServing())
    }
  }

  @Test func `refuses what other pages make a browser send`() throws {
    try check(HostileRequest.ofOtherPages)
  }

  @Test func `refuses strangers, other paths and what are no lines`() throws {
    try check(HostileRequest.ofStrangers)
  }

  @Test func `refuses what two readers could take differently`() throws {
    try check(HostileRequest.ofSmugglers)
  }

  @Test func `refuses other protocols and what is too long`() throws {
    try check(HostileRequest.ofOthers)
  }

  @Test func `lines that aren't UTF-8 are refused whole`() throws {
    try LivePage.with { page in
      let body = Array("{\"a\":1}\n{\"b\":\"".utf8) + [0xC3, 0x28] + Array("\"}\n".utf8)
      let head = page.lines("").replacing("Length: 0", with: "Length: \(body.count)")
      let client = try page.connect()
      try client.send(Array(head.utf8) + body)
      let answer = try client.readToEnd()
      #expect(answer.hasPrefix("HTTP/1.1 400 Bad Request\r\n"))
      #expect(answer.hasSuffix("\r\n\r\nThe lines are not UTF-8.\n"))
    }
  }

  @Test func `the limits of a request are exact`() throws {
    try LivePage.with { page in
      let close = "Connection: close\r\n"
      // The line without its end, the headers with the empty line.
      let line = "GET / HTTP/1.1"
      for (count, expected) in [(8192, "404"), (8193, "414")] {
        let path = "/" + String(repeating: "a", count: count - line.utf8.count)
        let text = "GET \(path) HTTP/1.1\r\nHost: \(page.host)\r\n\r\n"
        let status = try page.status(of: text)
        #expect(status == expected, "\(count)")
      }
      for (count, expected) in [(16384, "200"), (16385, "431")] {
        let host = "Host: \(page.host)\r\n\(close)"
        let filler = String(repeating: "a", count: count - host.utf8.count - 2 - 5)
        let status = try page.status(of: "\(line)\r\n\(host)X: \(filler)\r\n\r\n")
        #expect(status == expected, "\(count)")
      }
      for (count, expected) in [(98, "200"), (99, "431")] {
        let filler = String(repeating: "a:\r\n", count: count)
        let text = "\(line)\r\nHost: \(page.host)\r\n\(close)\(filler)\r\n"
        let status = try page.status(of: text)
        #expect(status == expected, "\(count)")
      }
    }
  }

  @Test func `a body of 16 MB is taken`() throws {
    try LivePage.with { page in
      let line = "{\"v\":\"\(String(repeating: "x", count: (16 << 20) - 8))\"}"
      let client = try page.connect()
      try client.send(page.lines(line))
      #expect(try client.readStatus() == "204 No Content")
      #expect(try page.child.readLine() == line)
    }
  }
}
