extension StepDifference {
  /// A text that is the same where the same lines are removed and inserted, whatever the step is.
  ///
  /// It is a cryptographic hash: whoever accepts a difference for many files sees it once, so that
  /// no plugin may find another one with the same fingerprint.
  package var fingerprint: String {
    var bytes: [UInt8] = []
    for edit in edits {
      switch edit {
      case .keep: continue
      case .remove(let index): bytes += [UInt8(ascii: "-")] + expected[index].bytes
      case .insert(let index): bytes += [UInt8(ascii: "+")] + found[index].bytes
      }
      bytes.append(UInt8(ascii: "\n"))
    }
    return SHA256.digest(of: bytes)
  }
}
