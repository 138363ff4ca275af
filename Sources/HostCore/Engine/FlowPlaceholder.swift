/// Text that stands for something else: `$value`, `$value.user.name`, `$config.apiBase`.
struct FlowPlaceholder {
  enum Source: String, CaseIterable {
    case value = "$value"
    case config = "$config"

    /// An example of a placeholder, for messages.
    var example: String { self == .value ? "$value.user.name" : "$config.apiBase" }
  }

  let source: Source
  /// The names of the members that lead from the source to the part.
  let path: [String]

  /// Nil for text that is no placeholder.
  init?(_ text: String) {
    guard let source = Source.allCases.first(where: { text.hasPrefix($0.rawValue) }) else {
      return nil
    }
    let rest = text.dropFirst(source.rawValue.count)
    guard rest.isEmpty || rest.first == "." else { return nil }
    self.source = source
    path = rest.split(separator: ".", omittingEmptySubsequences: false).dropFirst()
      .map { String($0) }
  }
}
