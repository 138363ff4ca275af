/// Why a line is refused, for whoever sent it. JSON Lines have these values, which never change.
package enum RefusalCode: String, CaseIterable, Sendable {
  /// The line can't be read.
  case syntax
  /// There never was an instance with this handle, or it can't be told which one is meant.
  case unknownInstance = "unknown-instance"
  /// The instance was open and has closed.
  case closed
  /// No plugin has this view model, or more than one has it.
  case unknownViewModel = "unknown-view-model"
  /// The handle belongs to another instance.
  case handleTaken = "handle-taken"
  /// The view model can't be opened with this config.
  case config
  /// The view model has no such input.
  case unknownInput = "unknown-input"
  /// The value doesn't fit the input.
  case value
  /// The plugin refused it for a reason of its own.
  case refusedByPlugin = "refused-by-plugin"
  /// No such request is open.
  case unknownRequest = "unknown-request"
  /// Timers repeat for ever, or an answer doesn't come.
  case endless
  /// A plugin, or a flow, could not be loaded.
  case notLoaded = "not-loaded"
  /// The line asks for what this session can't do, or can't do now.
  case unsupported
}
