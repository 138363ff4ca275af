import PluginABI

/// Describes why a plugin refused something.
enum Refusal {
  /// - Parameter status: a `vm_status`, as in the id of a refusal.
  static func code(_ status: UInt64) -> RefusalCode {
    switch Int(truncatingIfNeeded: Int64(bitPattern: status)) {
    case VM_E_CONFIG: .config
    case VM_E_VALUE: .value
    default: .refusedByPlugin
    }
  }

  /// - Parameters:
  ///   - status: a `vm_status`, as in the id of a refusal.
  ///   - message: the plugin's own message, or empty.
  static func description(_ status: UInt64, _ message: String) -> String {
    if !message.isEmpty { return message.terminalSafeLine }
    return switch Int(truncatingIfNeeded: Int64(bitPattern: status)) {
    case VM_E_VIEW_MODEL: "it has no such view model (and its manifest says otherwise)"
    case VM_E_CONFIG: "it can't use this config"
    case VM_E_KIND: "it doesn't know this kind of event"
    case VM_E_NAME: "it has no such input (and its manifest says otherwise)"
    case VM_E_VALUE: "it can't use this value"
    case VM_E_ID: "it has no open request of this id"
    case VM_E_FAILED: "it can't go on"
    default: "it returned the status \(Int64(bitPattern: status))"
    }
  }
}
