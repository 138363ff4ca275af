/// Colours for the parts of a line, or none.
struct Style: Equatable, Sendable {
  let isColoured: Bool

  static let plain = Style(isColoured: false)

  init(isColoured: Bool) {
    self.isColoured = isColoured
  }

  /// Colours only on a terminal that can show them, and not where `NO_COLOR` is set to anything
  /// (no-color.org). `variable` looks up an environment variable.
  init(isTerminal: Bool, variable: (String) -> String?) {
    let isRefused = variable("NO_COLOR").map { !$0.isEmpty } ?? false
    let terminal = variable("TERM") ?? ""
    isColoured = isTerminal && !isRefused && !terminal.isEmpty && terminal != "dumb"
  }

  /// The name of an instance.
  func handle(_ text: String) -> String { coloured(text, "36") }
  /// The name of an input or output.
  func port(_ text: String) -> String { coloured(text, "1") }
  /// A value, which steps back behind its name.
  func value(_ text: String) -> String { coloured(text, "2") }
  func error(_ text: String) -> String { coloured(text, "1;31") }

  /// What a transcript says, and what a run showed instead.
  func expected(_ text: String) -> String { coloured(text, "31") }
  func found(_ text: String) -> String { coloured(text, "32") }

  private func coloured(_ text: String, _ code: String) -> String {
    isColoured && !text.isEmpty ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
  }
}
