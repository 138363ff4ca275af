import HostCore

/// A file into which a session is written.
enum NewTranscript {
  /// The reason why it can't be made.
  static func reason(_ error: SystemError, _ path: String) -> String {
    guard error.isExisting else { return "\(error.reason)." }
    return switch try? Files.kind(of: path) {
    case .directory: "it is a folder. Name a file in it."
    case .other: "it is a device or a pipe, and a recording goes into a new file."
    // This includes a link that leads nowhere.
    case .regular, nil: "it exists already. Remove it first, or choose another name."
    }
  }
}
