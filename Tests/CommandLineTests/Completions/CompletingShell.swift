import TestSupport

/// A real shell at a terminal, in which a test presses Tab.
final class CompletingShell {
  enum Kind: String, CaseIterable, Sendable {
    case bash, zsh

    /// What makes the shell quiet, loads our script, and lets Ctrl-T tell the line and the cursor.
    fileprivate var setup: String {
      switch self {
      case .bash:
        """
        PS1='$ '; bind 'set enable-bracketed-paste off'; bind 'set bell-style none'; \
        eval "$(vmhost completions bash)"; \
        bind -x '"\\C-t": printf "LINE<%s|%s>\\n" "${READLINE_LINE:0:READLINE_POINT}" \
        "${READLINE_LINE:READLINE_POINT}"'
        """
      case .zsh:
        """
        PS1='$ '; unsetopt beep auto_menu; autoload -Uz compinit; compinit -u -d ~/.zcompdump; \
        source <(vmhost completions zsh); show() { print -r -- "LINE<$LBUFFER|$RBUFFER>" }; \
        zle -N show; bindkey '^T' show; bindkey '^U' kill-whole-line
        """
      }
    }

    fileprivate var options: [String] {
      self == .bash ? ["--norc", "--noprofile", "-i"] : ["-f", "-i"]
    }
  }

  private let terminal: PseudoTerminal

  /// Starts the shell in a folder, which is its home too; nil where the machine doesn't have it.
  init?(_ kind: Kind, in folder: String) throws {
    guard let shell = Programs.path(of: kind.rawValue) else {
      print("\(kind.rawValue) is missing: completions aren't tried in it")
      return nil
    }
    terminal = try PseudoTerminal(columns: 1000, rows: 50)
    try terminal.start(
      "/bin/sh", ["-c", "cd \"$1\" && shift && exec \"$@\"", "sh", folder, shell] + kind.options,
      environment: [
        "PATH": "\(try BuildProducts.directory):/usr/bin:/bin", "HOME": folder, "TERM": "dumb",
        "LC_ALL": "C.UTF-8", "TMDB_KEY_OF_TEST": "key",
      ])
    try run(kind.setup)
  }

  /// Runs a command.
  func run(_ command: String) throws {
    try terminal.write("\(command); echo rea''dy\n")
    try terminal.read(until: "ready\r\n")
  }

  /// Types a line, presses Tab, and returns the line then, with `|` where the cursor is.
  ///
  /// - Parameter line: with `|` where Tab is pressed; without it, at the end.
  func complete(_ line: String) throws -> String {
    let parts = line.split(separator: "|", maxSplits: 1, omittingEmptySubsequences: false)
    let back = parts.count > 1 ? parts[1].count : 0
    let left = String(repeating: "\u{2}", count: back)
    try terminal.write(parts.joined() + left + "\t\u{14}")
    try terminal.read(until: "LINE<")
    let result = try terminal.read(until: ">\r\n")
    // To the end, and away with all of it.
    try terminal.write("\u{5}\u{15}")
    return result
  }

  /// All that was written, for errors in between.
  var transcript: String { String(decoding: terminal.transcript, as: UTF8.self) }
}
