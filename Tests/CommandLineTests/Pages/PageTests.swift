import Basics
import Foundation
import HostCore
import Testing

@testable import vmhost

/// The HTML around the data of a page.
struct PageTests {
  private static let kinds: [Page.Kind] = [.session, .tests, .live]

  @Test(arguments: kinds)
  func `has one policy, which lets only its own script and style in`(_ kind: Page.Kind) throws {
    let page = PageFile(bytes: Page.bytes(kind, title: "a"))
    let style = SHA256.bytes(of: Array(try page.content(of: "<style>").utf8))
    let script = SHA256.bytes(of: Array(try page.content(of: "<script>").utf8))
    let connections = kind == .live ? "; connect-src 'self'" : ""
    #expect(
      page.html.contains(
        """
        <meta http-equiv="Content-Security-Policy" content="default-src 'none'; \
        script-src 'sha256-\(Base64.encode(script))'; style-src 'sha256-\(Base64.encode(style))'; \
        base-uri 'none'; form-action 'none'\(connections)">
        """))
    #expect(page.html.components(separatedBy: "http-equiv").count == 2)
  }

  @Test(arguments: kinds)
  func `is smaller than 150 KB without data, and names no other file`(_ kind: Page.Kind) throws {
    let page = PageFile(bytes: Page.bytes(kind, title: "a"))
    #expect(page.html.utf8.count < 150_000)
    for word in [" src=", "<link", "@import", "url(", "<iframe", "<img"] {
      #expect(!page.html.contains(word), "\(word)")
    }
  }

  @Test func `has text that looks like markup as text`() throws {
    let text = "</script><script>alert(1)</script><!-- <img src=x>"
    let line = "{\"kind\":\"trace\",\"source\":\"\(text)\",\"played\":true}"
    let page = PageFile(
      bytes: Page.bytes(.session, title: "</title>\(text)", lines: Array("\(line)\n".utf8)))
    #expect(page.html.components(separatedBy: "<script").count == 3)
    #expect(page.html.components(separatedBy: "</script").count == 3)
    #expect(page.html.components(separatedBy: "</title").count == 2)
    #expect(try page.lines().last == line)
  }

  @Test func `can be read again`() throws {
    let lines = Array("{\"kind\":\"run\"}\n{\"kind\":\"end\"}\n".utf8)
    let page = Page.bytes(.tests, title: "\"type\":\"session\"", lines: lines)
    #expect(Page.isPage(page))
    #expect(Page.data(of: page, .tests).map(Array.init) == lines)
    #expect(Page.data(of: page, .session) == nil)
    for end in stride(from: 0, to: page.count, by: 997) {
      let cut = Page.data(of: Array(page[..<end]), .tests)
      #expect(cut == nil || cut.map(Array.init) == lines)
    }
  }
}
