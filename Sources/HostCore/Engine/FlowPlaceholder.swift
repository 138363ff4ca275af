import Basics

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
    let names = text.byteSplit(separator: ".")
    guard let source = Source(rawValue: names[0]) else { return nil }
    self.source = source
    path = Array(names.dropFirst())
  }
}
