/// The version of vmhost, of which all its programs are.
package enum HostVersion {
  package static let number = "0.1.0"
}
