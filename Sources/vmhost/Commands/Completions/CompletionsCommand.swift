import HostCore

/// `vmhost completions`: prints the completion script of a shell.
enum CompletionsCommand {
  static func run(_ arguments: ParsedArguments) throws(Failure) -> Outcome {
    let script =
      arguments.positionals[0] == "zsh"
      ? PackageResources.vmhost_zsh : PackageResources.vmhost_bash
    do throws(SystemError) {
      try Descriptor.write(Descriptor.standardOutput, script.span)
      return .success
    } catch { throw Failure(error) }
  }
}
