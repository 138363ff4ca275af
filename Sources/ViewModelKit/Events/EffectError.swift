/// Why an effect gave no reply.
public struct EffectError: Error, Hashable, Sendable, CustomStringConvertible {
  /// A short name for programs, such as `"offline"`. Providers may use names that aren't listed
  /// here.
  public var code: String
  /// A sentence for people.
  public var message: String

  public init(code: String, message: String) {
    self.code = code
    self.message = message
  }

  public var description: String { "\(code): \(message)" }

  public static let offline = "offline"
  public static let timeout = "timeout"
  public static let cancelled = "cancelled"
  public static let invalidURL = "invalid-url"
  public static let tooLarge = "too-large"
  public static let storageFailed = "storage-failed"
  /// The plugin may keep no more. Deleting makes room.
  public static let storageFull = "storage-full"
  /// The reply can't be decoded as the effect's type.
  public static let invalidReply = "invalid-reply"
  /// The effect isn't a stored property of a view model, so the kit doesn't know whose it is.
  public static let notDeclared = "not-declared"
}
