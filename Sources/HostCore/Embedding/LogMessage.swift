/// Something that is for people to read.
public struct LogMessage: Sendable, Equatable, CustomStringConvertible {
  public enum Level: String, Sendable {
    case debug, info, warning, error
    /// A plugin's own code failed while it handled something, or the flow can't do what a
    /// signal leads to.
    case fault
    /// A line that a plugin in a process of its own printed.
    case printed
  }

  public let level: Level
  /// The handle of the instance that it is from; nil if it is from none.
  public let instance: String?
  public let text: String

  /// One line, such as `info from list: 20 films`.
  public var description: String {
    "\(level)\(instance.map { " from \($0)" } ?? ""): \(text)"
  }
}
