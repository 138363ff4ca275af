import HostCore

/// `vmhost complete`: tells the completion script of a shell what may stand at the cursor.
///
/// The script shows nothing else, so this says nothing else: a line that can't be completed gets no
/// answer, and no error.
enum CompleteCommand {
  /// How long it may take, whatever happens. A machine may be busy; nobody waits longer.
  private static let maxSeconds: UInt32 = 10

  /// - Parameter arguments: the command line up to the cursor, what follows it, and the characters
  ///   at which Readline begins a word.
  static func run(_ arguments: ParsedArguments) -> Outcome {
    Exit.byKernel(after: maxSeconds)
    let given = arguments.positionals
    let words = ShellWords(given[0], breaks: given.count > 2 ? given[2] : "")
    let line = CompletedLine(words, after: given.count > 1 ? given[1] : "", table: .vmhost)
    let completion = CompletionOffers.completion(of: line, table: .vmhost)
    let text = completion.text(fixedCount: words.fixedCount)
    try? Descriptor.write(Descriptor.standardOutput, PathText.bytes(text).span)
    return .success
  }
}
