import HostCore

/// What a script says about itself, found by reading it once without running it.
struct ScriptSurvey {
  private(set) var hasOpen = false
  /// The directives that say how the session is.
  private(set) var configuration: [ScriptCommand] = []

  /// - Throws: `Failure` for the first line that can't be understood.
  init(_ script: [UInt8], source: String) throws(Failure) {
    var feed = ScriptFeed()
    feed.fill { $0 = script }
    do throws(ScriptError) {
      while let line = try feed.next(atEnd: true) { try take(line) }
    } catch {
      let line = feed.storage.span.extracting(feed.line)
      throw Failure(.usage, error.report(source: source, number: feed.number, line: line))
    }
  }

  private mutating func take(_ line: ScriptLine) throws(ScriptError) {
    switch line {
    case .rewritten(let bytes): try take(try ScriptLine.parse(bytes.span))
    case .command(let command):
      switch command {
      case .open: hasOpen = true
      case .seed, .time, .locale, .timeZone, .record, .simulate:
        guard !hasOpen else {
          throw ScriptError("this must come before the first @open.", at: 0)
        }
        configuration.append(command)
      default: break
      }
    case .nothing, .input: break
    }
  }
}
