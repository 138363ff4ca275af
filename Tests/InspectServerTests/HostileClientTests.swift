import TestSupport
import Testing

/// Clients that take their time, want too much or go away.
struct HostileClientTests {
  @Test func `a request that comes byte by byte is read, or ends with the time`() throws {
    try LivePage.with { page in
      let client = try page.connect()
      for byte in page.request("GET /", ["Connection: close"]).utf8 { try client.send([byte]) }
      #expect(try client.readToEnd().hasSuffix(LivePage.html))
    }
    try LivePage.with(["request=500ms"]) { page in
      let slow = try page.connect()
      try slow.send("GET / HT")
      let answer = try slow.readToEnd()
      #expect(answer.hasPrefix("HTTP/1.1 408 Request Timeout\r\n"))
      #expect(answer.hasSuffix("\r\n\r\nThe request took too long to arrive.\n"))
      // Each byte comes in time, but not the request.
      let steady = try page.connect()
      while !steady.hasReceived {
        try steady.send("G")
        #expect(try page.isServing())
      }
      #expect(try steady.readToEnd().hasPrefix("HTTP/1.1 408 Request Timeout\r\n"))
    }
  }

  @Test func `a body that doesn't come ends with the time, and none of it is passed on`() throws {
    try LivePage.with(["request=300ms"]) { page in
      let client = try page.connect()
      let request = page.lines("{\"n\":1}\n{\"n\":2}\n")
      try client.send(String(request.dropLast()))
      #expect(try client.readToEnd().hasPrefix("HTTP/1.1 408 Request Timeout\r\n"))
    }
  }

  @Test func `who says nothing is dropped without an answer`() throws {
    try LivePage.with(["request=1s", "idle=100ms"]) { page in
      #expect(try page.connect().readToEnd() == "")
      let client = try page.connect()
      try client.send(page.request("GET /"))
      #expect(try client.readToEnd().hasSuffix(LivePage.html))
    }
  }

  @Test func `endless headers and bodies are cut off`() throws {
    try LivePage.with(["linger=100ms"]) { page in
      let kilobyte = [UInt8](repeating: UInt8(ascii: "a"), count: 1024)
      for start in ["", "GET / HTTP/1.1\r\n", "GET / HTTP/1.1\r\nX: ", page.lines("{}")] {
        let client = try page.connect()
        try client.send(start)
        #expect(try client.sendEndlessly(kilobyte, limit: 1 << 30), "\(start)")
      }
      // Without the secret, no body is read at all.
      let stranger = page.lines("").replacing(page.secret, with: "0")
        .replacing("Length: 0", with: "Length: 16000000")
      let client = try page.connect()
      try client.send(stranger)
      #expect(try client.readToEnd().hasPrefix("HTTP/1.1 403 Forbidden\r\n"))
      #expect(try page.child.readLine() == "{}")
      #expect(try page.processStatus("VmHWM") < 40_000)
    }
  }

  @Test func `a client that has ended its side gets the answer`() throws {
    try LivePage.with { page in
      let client = try page.connect()
      try client.send(page.request("GET /") + page.lines("{\"n\":1}"))
      client.finishSending()
      let answers = try client.readToEnd()
      #expect(answers.contains(LivePage.html + "HTTP/1.1 204 No Content\r\n"))
      #expect(try page.child.readLine() == "{\"n\":1}")
      let half = try page.connect()
      try half.send(String(page.lines("{\"n\":2}").dropLast()))
      half.finishSending()
      #expect(try half.readToEnd().hasSuffix("\r\n\r\nThe request isn't complete.\n"))
    }
  }

  @Test func `a client may go in the middle of everything`() throws {
    try LivePage.with(lines: ["{\"v\":\"\(String(repeating: "x", count: 1 << 20))\"}"]) { page in
      let request = page.lines("{\"n\":1}")
      for text in ["", "GET", String(request.dropLast(3)), request + request] {
        for isReset in [false, true] {
          let client = try page.connect()
          try client.send(text)
          if isReset { client.resetAtEnd() }
        }
      }
      for isReset in [false, true] {
        let client = try page.events()
        _ = try client.read(count: 1000)
        if isReset { client.resetAtEnd() }
      }
      #expect(try page.isServing())
      // A whole request counts, even if its client is gone. A reset may come before it is read.
      for _ in 0..<2 { #expect(try page.child.readLine() == "{\"n\":1}") }
      try page.child.writeLine("{\"n\":2}")
      #expect(try page.events(after: 1).readEvent() == "id: 2\ndata: {\"n\":2}")
      page.child.closeInput()
      while let line = try page.child.readLine() { #expect(line == "{\"n\":1}") }
    }
  }

  @Test func `whoever has asked for events may say nothing more`() throws {
    try LivePage.with { page in
      let client = try page.events()
      try client.send(page.lines("{\"n\":1}"))
      #expect(try client.readToEnd() == "")
    }
  }

  @Test func `a page that doesn't read is cut off, and memory stays bounded`() throws {
    try LivePage.with(["kept=4000000", "stall=500ms"]) { page in
      let client = try LoopbackClient(port: page.port, receiveBuffer: 4096)
      try client.send(page.request("GET /events", ["X-Vmhost-Secret: \(page.secret)"]))
      _ = try client.readAnswerHead()
      let line = "{\"v\":\"\(String(repeating: "x", count: 100_000))\"}"
      for _ in 0..<500 { try page.child.writeLine(line) }
      try page.waitForConnections(0)
      // It gets what the system had already taken, and no end.
      let rest = try client.readToEnd()
      #expect(rest.hasPrefix("id: 1\n"))
      #expect(!rest.contains("event: end"))
      #expect(try page.processStatus("VmHWM") < 60_000)
      // Another one gets what is kept.
      let next = try page.events()
      #expect(try next.readEvent().hasPrefix("event: gone\n"))
      #expect(try next.readEvent().hasSuffix("\ndata: \(line)"))
    }
  }

  @Test func `a stream that is taken over ends even if nobody reads it`() throws {
    try LivePage.with(["request=300ms"]) { page in
      let client = try LoopbackClient(port: page.port, receiveBuffer: 4096)
      try client.send(page.request("GET /events", ["X-Vmhost-Secret: \(page.secret)"]))
      _ = try client.readAnswerHead()
      let line = "{\"v\":\"\(String(repeating: "x", count: 10_000_000))\"}"
      try page.child.writeLine(line)
      let next = try page.events()
      #expect(try next.readEvent() == "id: 1\ndata: \(line)")
      try page.waitForConnections(1)
      #expect(try client.readToEnd().utf8.count < 10_000_000)
      withExtendedLifetime(next) {}
    }
  }

  @Test func `a stream that is taken over ends in time even if it is read slowly`() throws {
    try LivePage.with(["request=300ms"]) { page in
      let line = "{\"v\":\"\(String(repeating: "x", count: 10_000_000))\"}"
      try page.child.writeLine(line)
      let client = try LoopbackClient(port: page.port, receiveBuffer: 4096)
      try client.send(page.request("GET /events", ["X-Vmhost-Secret: \(page.secret)"]))
      _ = try client.read(count: 1_000_000)
      let next = try page.events()
      // What the server can send now doesn't give the old stream more time. It may be gone before.
      _ = try? client.read(count: 3_000_000)
      try page.waitForConnections(1)
      withExtendedLifetime(next) {}
    }
  }

  @Test func `lines that the session doesn't read are refused beyond a limit`() throws {
    try LivePage.with { page in
      // Nobody finishes these: they count with what they may still send.
      let first = try page.connect()
      let second = try page.connect()
      for client in [first, second] {
        let head = page.lines("").replacing("Length: 0", with: "Length: 16777216")
        try client.send(head + "{")
      }
      // The server may take other connections before it reads from these.
      let request = page.lines("{\"n\":1}", ["Connection: close"])
      var answer = try page.answer(request)
      for _ in 0..<100 where answer.hasPrefix("HTTP/1.1 204") {
        #expect(try page.child.readLine() == "{\"n\":1}")
        answer = try page.answer(request)
      }
      #expect(answer.hasPrefix("HTTP/1.1 503 Service Unavailable\r\n"))
      #expect(
        answer.hasSuffix(
          "The session hasn't read the lines before these; send them again later.\n"))
      withExtendedLifetime((first, second)) {}
    }
  }

  @Test func `ten thousand connections don't lock the page out`() throws {
    try LivePage.with { page in
      let stream = try page.events()
      let own = try page.connect()
      try own.send(page.lines("{\"n\":0}"))
      #expect(try own.readStatus() == "204 No Content")
      #expect(try page.child.readLine() == "{\"n\":0}")
      for batch in 1...20 {
        var clients: [LoopbackClient] = []
        for index in 0..<500 {
          let client = try page.connect()
          if index % 3 == 0 { try client.send("GET / HTTP/1.1\r\n") }
          clients.append(client)
        }
        #expect(try page.isServing())
        try own.send(page.lines("{\"n\":\(batch)}"))
        #expect(try own.readStatus() == "204 No Content")
        #expect(try page.child.readLine() == "{\"n\":\(batch)}")
        try page.child.writeLine("{\"batch\":\(batch)}")
        #expect(try stream.readEvent() == "id: \(batch)\ndata: {\"batch\":\(batch)}")
        withExtendedLifetime(clients) {}
      }
      #expect(try page.isServing())
      #expect(try page.processStatus("VmHWM") < 40_000)
    }
  }
}
