/// The version of vmhost and all its programs.
package enum HostVersion {
  package static let number = "0.1.0"
}
