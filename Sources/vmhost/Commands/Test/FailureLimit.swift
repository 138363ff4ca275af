/// After how many transcripts that don't pass a run stops.
struct FailureLimit: Sendable {
  let count: Int
  /// The option that says so, for the message.
  let option: String

  /// - Returns: nil if no option limits them.
  static func read(_ arguments: ParsedArguments) throws(Failure) -> FailureLimit? {
    let count = try arguments.read("max-failures", as: TestOptions.countForm, TestOptions.count)
    guard arguments.flag("fail-fast") else {
      return count.map { FailureLimit(count: $0, option: "--max-failures \($0)") }
    }
    guard count == nil else {
      throw Failure(.usage, "--fail-fast is --max-failures 1: give only one of the two.")
    }
    return FailureLimit(count: 1, option: "--fail-fast")
  }
}
