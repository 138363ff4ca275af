/// A step of a transcript that could not be played.
package struct UnplayedStep: Sendable {
  /// The line of the step, counted from 1.
  package let line: Int
  /// The reason, in one sentence.
  package let summary: String
  /// The line with a mark under what the reason is about; may be empty.
  package let details: String
  /// Whether the reason is a difference by itself, such as an input that the plugin doesn't have.
  /// Otherwise an earlier difference led to it, as when a request wasn't made that is answered.
  package let isDifference: Bool
  /// If it is a reply to a request that isn't made any more: the line of the step that should make
  /// it, and all lines of the reply.
  package var orphan: (step: Int, lines: Set<Int>)?

  /// A sentence about the number of such steps.
  package static func note(_ count: Int) -> String {
    "\(Count.of(count, "step")) could not be played and \(count == 1 ? "was" : "were") skipped."
  }
}
