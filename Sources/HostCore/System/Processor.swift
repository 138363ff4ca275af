/// The kind of this machine's processor.
package enum Processor {
  /// The architecture, and the feature that makes floating-point results differ within it: the C
  /// library's mathematical functions give different last digits on a processor that multiplies and
  /// adds in one step.
  package static var kind: String {
    #if arch(x86_64)
      return fusesMultiplication ? "x86_64+fma" : "x86_64"
    #elseif arch(arm64)
      return "aarch64"
    #else
      return "other"
    #endif
  }

  private static var fusesMultiplication: Bool {
    // The first processor is listed first, and all are of one kind.
    guard let bytes = try? Files.beginning(of: "/proc/cpuinfo", count: 1 << 13) else {
      return false
    }
    let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
    let flags = lines.first { $0.hasPrefix("flags") } ?? ""
    return flags.split(separator: " ").contains("fma")
  }
}
