/// The colours for the parts of a line. There may be none.
struct Style: Equatable, Sendable {
  let isColoured: Bool

  static let plain = Style(isColoured: false)

  init(isColoured: Bool) {
    self.isColoured = isColoured
  }

  /// There are colours only on a terminal that can show them, and only if `NO_COLOR` isn't set
  /// (no-color.org).
  ///
  /// - Parameter variable: looks up an environment variable.
  init(isTerminal: Bool, variable: (String) -> String?) {
    let isRefused = variable("NO_COLOR").map { !$0.isEmpty } ?? false
    let terminal = variable("TERM") ?? ""
    isColoured = isTerminal && !isRefused && !terminal.isEmpty && terminal != "dumb"
  }

  /// The name of an instance.
  func handle(_ text: String) -> String { coloured(text, "36") }
  /// The name of an input or output.
  func port(_ text: String) -> String { coloured(text, "1") }
  /// A value, which is dimmer than its name.
  func value(_ text: String) -> String { coloured(text, "2") }
  func error(_ text: String) -> String { coloured(text, "1;31") }

  /// An expected line, and the line that was found instead.
  func expected(_ text: String) -> String { coloured(text, "31") }
  func found(_ text: String) -> String { coloured(text, "32") }

  private func coloured(_ text: String, _ code: String) -> String {
    isColoured && !text.isEmpty ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
  }
}
