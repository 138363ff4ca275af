import Basics
import HostCore

/// Which of the transcripts a run takes, by their paths and their tags.
struct TranscriptChoice: Sendable {
  private let filters: [PathPattern]
  private let excluded: [PathPattern]
  private let tags: [String]
  private let excludedTags: [String]

  init(_ arguments: ParsedArguments) throws(Failure) {
    filters = try Self.patterns("filter", arguments)
    excluded = try Self.patterns("exclude", arguments)
    tags = arguments.values(of: "tag")
    excludedTags = arguments.values(of: "exclude-tag")
  }

  private static func patterns(
    _ option: String, _ arguments: ParsedArguments
  ) throws(Failure) -> [PathPattern] {
    var patterns: [PathPattern] = []
    for text in arguments.values(of: option) {
      patterns.append(try PathPattern(text, of: option))
    }
    return patterns
  }

  /// - Throws: a `Failure` if it chooses none, or if something that it asks for isn't there.
  func chosen(from paths: [String]) throws(Failure) -> [String] {
    try tagged(try included(paths))
  }

  /// The lines before the first step; nil if there is a mistake in them.
  static func head(of path: String) -> ScriptSummary? {
    guard let source = try? TranscriptSource(head: path) else { return nil }
    return TranscriptReader.head(of: source)
  }

  // MARK: Paths

  private func included(_ paths: [String]) throws(Failure) -> [String] {
    guard !filters.isEmpty || !excluded.isEmpty else { return paths }
    let components = paths.map(PathPattern.components)
    for filter in filters where !components.contains(where: filter.matches) {
      throw Failure(.nothingToTest, "--filter: \(Self.noMatch(of: filter, among: components))")
    }
    for pattern in excluded where !components.contains(where: pattern.matches) {
      Console.complain("vmhost: --exclude: \(Self.noMatch(of: pattern, among: components))\n")
    }
    let included = zip(paths, components).filter { _, path in
      (filters.isEmpty || filters.contains { $0.matches(path) })
        && !excluded.contains { $0.matches(path) }
    }
    guard !included.isEmpty else { throw Self.nothingLeft("--exclude", of: paths) }
    return included.map(\.0)
  }

  private static func noMatch(of pattern: PathPattern, among paths: [[String]]) -> String {
    "of \(Count.of(paths.count, "transcript")), none matches \"\(pattern.text)\"."
      + hint(for: pattern, among: paths)
  }

  private static func hint(for pattern: PathPattern, among paths: [[String]]) -> String {
    let text = PathPattern.withoutEnding(
      PathPattern.components(of: pattern.text).joined(separator: "/"))
    var names: Set<String> = []
    for path in paths where path.count >= pattern.count {
      for start in 0...path.count - pattern.count {
        let run = path[start..<start + pattern.count].joined(separator: "/")
        names.insert(PathPattern.withoutEnding(run))
      }
    }
    // A part of a name isn't enough, but may be what was meant.
    guard text.isEmpty || !names.contains(where: { $0.contains(text) }) else {
      return " Did you mean \"*\(text)*\"?"
    }
    return NearestName.hint(for: text, among: names)
  }

  private static func nothingLeft(_ option: String, of paths: [String]) -> Failure {
    Failure(.nothingToTest, "\(option) leaves none of \(Count.of(paths.count, "transcript")).")
  }

  // MARK: Tags

  private func tagged(_ paths: [String]) throws(Failure) -> [String] {
    guard !tags.isEmpty || !excludedTags.isEmpty else { return paths }
    let heads = paths.map(Self.head)
    let known = Set(heads.lazy.compactMap { $0?.tags }.joined())
    for tag in tags where !known.contains(tag) {
      throw Failure(.nothingToTest, "--tag: \(Self.noTranscript(with: tag, of: paths, known))")
    }
    for tag in excludedTags where !known.contains(tag) {
      Console.complain("vmhost: --exclude-tag: \(Self.noTranscript(with: tag, of: paths, known))\n")
    }
    let tagged = zip(paths, heads).filter { _, head in
      // A mistake there may be in the tags. It shows when the transcript is played.
      guard let head else { return true }
      return (tags.isEmpty || tags.contains(where: head.tags.contains))
        && !excludedTags.contains(where: head.tags.contains)
    }
    guard !tagged.isEmpty else { throw Self.nothingLeft("--exclude-tag", of: paths) }
    return tagged.map(\.0)
  }

  private static func noTranscript(
    with tag: String, of paths: [String], _ known: Set<String>
  ) -> String {
    let hint =
      known.isEmpty
      ? " None has tags; a line such as \"@tags slow\" adds one."
      : NearestName.hintOrList(for: tag, among: known.sorted())
    return "of \(Count.of(paths.count, "transcript")), none has the tag \"\(tag)\".\(hint)"
  }
}
