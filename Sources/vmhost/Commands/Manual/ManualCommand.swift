import HostCore

/// `vmhost manual`: writes the manual pages into a folder.
enum ManualCommand {
  static func run(_ arguments: ParsedArguments) throws(Failure) -> Outcome {
    let folder = arguments.positionals[0]
    guard (try? Files.kind(of: folder)) == .directory else {
      throw Failure(.usage, "there is no folder \"\(folder)\" to write the pages into.")
    }
    for page in ManualPage.all(of: .vmhost) {
      let path = "\(folder)/\(page.name).1"
      do throws(SystemError) {
        try Files.replace(path, with: Array(page.text.utf8).span)
      } catch {
        throw Failure(.outputLost, "could not write \"\(path)\": \(error.reason).")
      }
    }
    return .success
  }
}
