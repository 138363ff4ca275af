import Basics

/// The least confinement that a machine, a team or a CI accepts, which no option goes below.
package struct SandboxPolicy: Sendable {
  /// The variable that sets it.
  package static let variable = "VMHOST_SANDBOX"

  /// The least mode; nil if every mode is accepted.
  private let least: SandboxMode?

  /// - Throws: `invalid` if the variable has a value that is no mode.
  package init(_ value: String? = Environment.value(variable)) throws(SessionFailure) {
    guard let value, !value.isEmpty else {
      least = nil
      return
    }
    guard let mode = SandboxMode(rawValue: value) else {
      let modes = SandboxMode.allCases.map(\.rawValue)
      throw SessionFailure(
        .invalid,
        "\(Self.variable): \"\(value)\" is not a mode: it must be one of"
          + " \(modes.joined(separator: ", "))."
          + NearestName.hint(for: value, among: modes))
    }
    least = mode
  }

  /// The mode of a run.
  ///
  /// - Parameter asked: the mode that the user asked for; nil for none.
  /// - Throws: `invalid` if that is less than the least one.
  package func mode(_ asked: SandboxMode?) throws(SessionFailure) -> SandboxMode {
    let mode = asked ?? max(.bestEffort, least ?? .off)
    guard let least, mode < least else { return mode }
    throw SessionFailure(
      .invalid,
      "--sandbox=\(mode.rawValue): \(Self.variable) demands at least \"\(least.rawValue)\".")
  }

  /// Throws `invalid` if plugins must be confined.
  ///
  /// - Parameter option: what would leave a plugin unconfined.
  package func allowUnconfined(by option: String) throws(SessionFailure) {
    guard let least, least > .off else { return }
    throw SessionFailure(
      .invalid,
      "\(option): it leaves plugins unconfined, and \(Self.variable) demands at least"
        + " \"\(least.rawValue)\".")
  }
}
