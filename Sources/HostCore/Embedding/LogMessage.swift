/// A message of a plugin, of the flow or of a program that answers an effect.
public struct LogMessage: Sendable, Equatable, CustomStringConvertible {
  /// How serious a message is, or where it comes from.
  public enum Level: String, Sendable {
    case debug, info, warning, error
    /// A plugin's code failed while it handled an event, or the flow could not carry out what a
    /// signal leads to.
    case fault
    /// A line that a plugin in a process of its own printed.
    case printed
  }

  /// How serious the message is, or where it comes from.
  public let level: Level
  /// The handle of the instance that it comes from; nil if it comes from none.
  public let instance: String?
  /// The message, without secrets.
  public let text: String

  /// One line, such as `info from list: 20 films`.
  public var description: String {
    "\(level)\(instance.map { " from \($0)" } ?? ""): \(text)"
  }
}
