/// Text that stands for something else: `$value`, `$value.user.name`, `$config.apiBase`.
struct FlowPlaceholder {
  enum Source: String, CaseIterable {
    case value = "$value"
    case config = "$config"

    /// A member of it, for messages.
    var example: String { self == .value ? "$value.user.name" : "$config.apiBase" }
  }

  let source: Source
  /// The members that it goes through.
  let path: [String]

  /// Nil for text that stands for itself.
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
