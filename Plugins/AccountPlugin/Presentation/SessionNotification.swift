/// What the rest of the app is told once somebody is logged in.
enum SessionNotification: String, Codable, CaseIterable, Sendable {
  case sessionStarted
  case showNotificationsDialog
}
