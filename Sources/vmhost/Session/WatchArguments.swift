import HostCore

extension ParsedArguments {
  /// Reads `--watch` and `--build`.
  ///
  /// - Parameter reasons: the options that can't be combined with `--watch`, and why.
  func watching(
    except reasons: KeyValuePairs<String, String>
  ) throws(Failure) -> (watches: Bool, build: String?) {
    let build = value(of: "build")
    guard flag("watch") else {
      guard build == nil else {
        throw Failure(.usage, "--build needs --watch.")
      }
      return (false, nil)
    }
    for (option, reason) in reasons where flag(option) {
      throw Failure(.usage, "--\(option) can't be combined with --watch: \(reason).")
    }
    if let build, build.allSatisfy(\.isWhitespace) {
      throw Failure(.usage, "--build needs a command, as in --build \"make\".")
    }
    return (true, build)
  }
}
