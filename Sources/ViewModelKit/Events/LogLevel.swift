/// How much a log line matters.
public enum LogLevel: String, Sendable {
  case debug, info, warning, error
}
