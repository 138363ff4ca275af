import PluginABI

/// The versions of what vmhost and other programs exchange.
package enum FormatVersions {
  /// The interface of plugins, `vm_plugin.h`.
  package static let abi = "\(VM_ABI_MAJOR).\(VM_ABI_MINOR)"
  /// The format of transcripts.
  package static let transcript = TextLineParser.formatVersion
  /// The JSON Lines of sessions.
  package static let lines = JSONLinesFormat.schemaVersion
  /// What vmhost and its workers say to each other.
  package static let workerProtocol = Int(WorkerMessage.version)
}
