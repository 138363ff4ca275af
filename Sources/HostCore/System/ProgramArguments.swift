/// The arguments of this program.
package enum ProgramArguments {
  /// All arguments, from the program's name on, as `PathText` has paths.
  package static var all: [String] {
    (0..<Int(CommandLine.argc)).compactMap { index in
      unsafe CommandLine.unsafeArgv[index].map { unsafe PathText.text($0) }
    }
  }
}
