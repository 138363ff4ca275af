import Foundation
import FoundationXML
import HostCore
import Testing

@testable import vmhost

struct JUnitReportTests {
  @Test func `says of each transcript what came of it`() {
    let expected = """
      <?xml version="1.0" encoding="UTF-8"?>
      <testsuites name="vmhost" tests="2" failures="1" errors="0" skipped="0" time="1.512">
        <testsuite name="Tests/movies" tests="2" failures="1" errors="0" skipped="0" time="1.512">
          <testcase name="paging.vmt" classname="Tests.movies" file="Tests/movies/paging.vmt" \
      line="12" time="1.5">
            <failure message="expected loading &quot;none&quot;, came loading \
      &quot;fullScreen&quot;." type="failed">Tests/movies/paging.vmt:12: expected loading "none", \
      came loading "fullScreen".

      - &lt; loading "none"
      + &lt; loading "fullScreen"
      </failure>
          </testcase>
          <testcase name="search.vmt" classname="Tests.movies" file="Tests/movies/search.vmt" \
      time="0.012"/>
        </testsuite>
      </testsuites>

      """
    let report = JUnitReport.bytes([ReportSamples.passed, ReportSamples.failed])
    #expect(ReportSamples.text(report) == expected)
  }

  @Test(
    arguments: zip(
      Verdict.allCases,
      [nil, "skipped", "skipped", "failure", "error", "error", "failure", "error", "error"]))
  func `puts a verdict into the element that consumers count`(
    _ verdict: Verdict, element: String?
  ) throws {
    let result = TestResult(path: "a.vmt", verdict: verdict, summary: "why")
    let document = try parse(JUnitReport.bytes([result]))
    let root = try #require(document.rootElement())
    let test = try #require(root.elements(forName: "testsuite").first?.children?.first)
    #expect(test.children?.map(\.name) ?? [] == (element.map { [$0] } ?? []))
    for (attribute, name) in [("failures", "failure"), ("errors", "error"), ("skipped", "skipped")]
    {
      #expect(root.attribute(forName: attribute)?.stringValue == (element == name ? "1" : "0"))
    }
  }

  @Test func `says why an unverified transcript is skipped`() throws {
    let result = TestResult(path: "a.vmt", verdict: .unverified)
    let text = ReportSamples.text(JUnitReport.bytes([result]))
    #expect(
      text.contains("<skipped message=\"it expects nothing, so nothing was compared\"/>"))
  }

  @Test func `is well-formed whatever a plugin says`() throws {
    let scalars = [
      "<", ">", "&", "\"", "'", "]]>", "\n", "\t", "\r\n", "\u{0}", "\u{1B}[2J", "\u{B}",
      "\u{85}", "\u{FFFE}", "\u{FFFF}", "\u{D7FF}", "\u{E000}", "\u{FFFD}", "\u{10FFFF}", "é", "😀",
    ]
    let hostile = scalars.joined() + String(decoding: [0xff, 0xc0, 0x80, 0x41], as: UTF8.self)
    let result = TestResult(
      path: "a/\(hostile).vmt", verdict: .failed, line: 1, summary: hostile, details: hostile)
    let document = try parse(JUnitReport.bytes([result]))
    let failure = try #require(try document.nodes(forXPath: "//failure").first as? XMLElement)
    let unseen = "\u{FFFD}"
    let kept =
      "<>&\"']]>\n\t\(unseen)\n\(unseen)\(unseen)[2J\(unseen)\(unseen)"
      + "\u{D7FF}\u{E000}\u{FFFD}\u{10FFFF}é😀"
    let message = try #require(failure.attribute(forName: "message")?.stringValue)
    #expect(message.hasPrefix(kept))
    #expect(message.hasSuffix("A"))
    #expect(failure.stringValue?.contains("\n\(kept)") == true)
  }

  @Test(arguments: [
    ("a.vmt", ".", "transcripts", "a.vmt"), ("./a.vmt", ".", "transcripts", "a.vmt"),
    ("/a.vmt", "/", "transcripts", "a.vmt"), ("../b/c/a.vmt", "../b/c", "b.c", "a.vmt"),
    ("b//a.vmt", "b/", "b", "a.vmt"),
  ])
  func `names suites by their folders`(
    _ path: String, suite: String, className: String, name: String
  ) throws {
    let document = try parse(JUnitReport.bytes([TestResult(path: path, verdict: .passed)]))
    func value(_ xpath: String) throws -> String? {
      try document.nodes(forXPath: xpath).first?.stringValue
    }
    #expect(try value("//testsuite/@name") == suite)
    #expect(try value("//testcase/@classname") == className)
    #expect(try value("//testcase/@name") == name)
    #expect(try value("//testcase/@file") == path)
  }

  @Test func `is the same in whatever order the results come`() {
    let report = JUnitReport.bytes(ReportSamples.all)
    let isSame = JUnitReport.bytes(ReportSamples.all.reversed()) == report
    #expect(isSame)
  }

  @Test func `has no suite where there is no result`() {
    #expect(
      ReportSamples.text(JUnitReport.bytes([])) == """
        <?xml version="1.0" encoding="UTF-8"?>
        <testsuites name="vmhost" tests="0" failures="0" errors="0" skipped="0" time="0">
        </testsuites>

        """)
  }

  private func parse(_ bytes: [UInt8]) throws -> XMLDocument {
    try XMLDocument(data: Data(bytes))
  }
}
