import Basics
import CanonicalJSON

/// The names in a line of a script, as ranges of its bytes. JSON has them without their quotes.
struct LineNames {
  /// The view model that the line opens.
  private(set) var viewModel: Range<Int>?
  /// The handle of an instance. Many lines can leave it out.
  private(set) var handle: Range<Int>?
  private(set) var input: Range<Int>?
  private(set) var output: Range<Int>?
  let isJSON: Bool

  /// - Parameters:
  ///   - line: the line as it was read.
  ///   - bytes: its bytes.
  init(_ line: ScriptLine, in bytes: Span<UInt8>) throws(ScriptError) {
    isJSON = !bytes.isEmpty && bytes[0] == UInt8(ascii: "{")
    if isJSON {
      let names = try JSONLineParser.names(in: bytes)
      let found = { (range: Range<Int>) in range.isEmpty ? nil : range }
      (viewModel, handle, input) = (
        found(names.viewModel), found(names.instance), found(names.name)
      )
      return
    }
    switch line {
    case .input(let line):
      input = line.name
      handle = line.handle.isEmpty ? nil : line.handle
    case .expectation(let line):
      output = line.kind == .output ? line.name : nil
      handle = line.handle.isEmpty ? nil : line.handle
    case .command(.open(let id, let name, _)):
      let words = Self.words(of: bytes, atMost: 4)
      viewModel = id.isEmpty ? nil : words[1]
      handle = name == nil ? nil : words[3]
    case .command(.close(let name)):
      handle = LinePart.subject.offset(in: bytes).map { $0..<$0 + name.utf8.count }
    case .command(.reply(let name?, _, _)), .command(.failure(let name?, _, _, _)):
      handle = LinePart.handle.offset(in: bytes).map { $0..<$0 + name.utf8.count }
    case .command, .nothing, .rewritten: break
    }
  }

  private static func words(of line: Span<UInt8>, atMost count: Int) -> [Range<Int>] {
    var words: [Range<Int>] = []
    var start = 0
    while start < line.count, words.count < count {
      let end = line.firstIndex(of: TextLineParser.space, from: start) ?? line.count
      if end > start { words.append(start..<end) }
      start = end + 1
    }
    return words
  }

  /// A name as text.
  func text(_ range: Range<Int>, in bytes: Span<UInt8>) -> String {
    let name = bytes.extracting(range)
    guard isJSON, let text = try? CanonicalJSON.unescape(name) else {
      return String(repairing: name)
    }
    return text
  }
}
