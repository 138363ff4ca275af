import Basics
import CanonicalJSON
import HostCore
import Pages

/// A page that shows sessions in a browser: one HTML file that needs no other file and no network.
///
/// Its data are JSON Lines, as `vmhost run --steps` prints them, and some more.
enum Page {
  enum Kind: String {
    /// One session, or several.
    case session
    /// A run of tests.
    case tests
    /// A session that a server keeps sending lines of.
    case live
  }

  static let schemaVersion = 1

  /// - Parameters:
  ///   - title: the name of what it shows.
  ///   - lines: the JSON Lines, without secrets.
  static func bytes(_ kind: Kind, title: String, lines: [UInt8] = []) -> [UInt8] {
    let style = code(of: PAGE_CSS)
    let script = scripts(of: kind).flatMap(code)
    var html: [UInt8] = []
    html.reserveCapacity(lines.count + lines.count / 64 + script.count + 40_000)
    for part in parts(of: bytes(of: PAGE_HTML)) {
      switch part {
      case .text(let text): html += text
      case .marker("CSP"): html += Array(policy(kind, style: style, script: script).utf8)
      case .marker("TITLE"): XMLText.append(title, to: &html)
      case .marker("STYLE"): html += style
      case .marker("SCRIPT"): html += script
      case .marker("DATA"):
        appendData(head(kind, title), to: &html)
        appendData(lines, to: &html)
      case .marker(let name): preconditionFailure("page.html has an unknown marker \(name)")
      }
    }
    return html
  }

  /// The first line of the data.
  private static func head(_ kind: Kind, _ title: String) -> [UInt8] {
    var line = Array("{\"kind\":\"page\",\"schema\":\(schemaVersion)".utf8)
    line += Array(",\"type\":\"\(kind.rawValue)\",\"title\":".utf8)
    CanonicalJSON.appendString(title, to: &line)
    return line + Array("}\n".utf8)
  }

  /// Appends lines in which nothing can end the element around them.
  private static func appendData(_ lines: [UInt8], to html: inout [UInt8]) {
    let escape = Array("\\u003c".utf8)
    for part in lines.split(separator: UInt8(ascii: "<"), omittingEmptySubsequences: false) {
      html += part
      html += escape
    }
    html.removeLast(escape.count)
  }

  /// What the page may do: run the script that it has, and nothing else.
  private static func policy(_ kind: Kind, style: [UInt8], script: [UInt8]) -> String {
    var rules = [
      "default-src 'none'", "script-src 'sha256-\(hash(script))'",
      "style-src 'sha256-\(hash(style))'", "base-uri 'none'", "form-action 'none'",
    ]
    if kind == .live { rules.append("connect-src 'self'") }
    return rules.joined(separator: "; ")
  }

  private static func hash(_ bytes: [UInt8]) -> String { Base64.encode(SHA256.bytes(of: bytes)) }

  // MARK: Files

  private static func scripts(of kind: Kind) -> [page_file] {
    let session = [
      PAGE_JSON, PAGE_TRACE, PAGE_TRANSCRIPT, PAGE_DOM, PAGE_LIST, PAGE_TREE, PAGE_TIMELINE,
      PAGE_DETAIL, PAGE_VIEWER,
    ]
    let own: [page_file] =
      switch kind {
      case .session: []
      case .tests: [PAGE_REPORT]
      case .live:
        [PAGE_FIELDS, PAGE_FORMS, PAGE_SESSION, PAGE_REQUESTS, PAGE_INSTANCES, PAGE_LIVE]
      }
    return session + own + [PAGE_START]
  }

  private static func bytes(of file: page_file) -> [UInt8] {
    var bytes: [UInt8] = []
    while case let byte = page_byte(file, bytes.count), byte >= 0 { bytes.append(UInt8(byte)) }
    return bytes
  }

  /// A script or style without its indentation and lines of comments, which are a half of it. No
  /// text in them goes over several lines.
  private static func code(of file: page_file) -> [UInt8] {
    var code: [UInt8] = []
    var isInComment = false
    for line in bytes(of: file).split(separator: 0x0a) {
      let text = line.drop { $0 == 0x20 }
      let end = position(of: "*/", in: text).map { $0 + 2 }
      if isInComment {
        isInComment = end == nil
      } else if text.starts(with: "/*".utf8), end == nil || end == text.endIndex {
        isInComment = end == nil
      } else if !text.isEmpty, !text.starts(with: "//".utf8) {
        code += text + [0x0a]
      }
    }
    return code
  }

  private enum Part {
    case text(ArraySlice<UInt8>)
    case marker(String)
  }

  /// The template, cut at its markers, such as `@TITLE@`.
  private static func parts(of template: [UInt8]) -> [Part] {
    template.split(separator: UInt8(ascii: "@"), omittingEmptySubsequences: false).enumerated()
      .map { index, part in
        index % 2 == 0 ? .text(part) : .marker(String(decoding: part, as: UTF8.self))
      }
  }
}

// Pages that vmhost wrote.
extension Page {
  static func isPage(_ bytes: [UInt8]) -> Bool { bytes.starts(with: "<!doctype html>".utf8) }

  /// The lines of a page's data behind the first one; nil if it isn't a page of this kind.
  static func data(of page: [UInt8], _ kind: Kind) -> ArraySlice<UInt8>? {
    let opening = "<script type=\"application/x-ndjson\" id=\"data\">"
    guard let start = position(of: opening, in: page[...]),
      let end = position(of: "</script>", in: page[(start + opening.utf8.count)...]),
      let first = page[start..<end].firstIndex(of: 0x0a),
      position(of: "\"type\":\"\(kind.rawValue)\"", in: page[start..<first]) != nil
    else { return nil }
    return page[(first + 1)..<end]
  }

  private static func position(of text: String, in bytes: ArraySlice<UInt8>) -> Int? {
    let text = Array(text.utf8)
    var start = bytes.startIndex
    while let next = bytes[start...].firstIndex(of: text[0]) {
      if bytes[next...].starts(with: text) { return next }
      start = next + 1
    }
    return nil
  }
}
