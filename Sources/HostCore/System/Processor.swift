/// The kind of processor that the machine has.
package enum Processor {
  /// Its architecture, with what makes it compute floating-point numbers differently from others
  /// of that architecture: the mathematical functions of the C library give other last digits
  /// where it multiplies and adds in one step.
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
    // The first processor stands at the beginning, and all are of one kind.
    guard let bytes = try? Files.read("/proc/cpuinfo", limit: 1 << 13) else { return false }
    let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
    let flags = lines.first { $0.hasPrefix("flags") } ?? ""
    return flags.split(separator: " ").contains("fma")
  }
}
