import Basics
import HostCore

/// `vmhost new`: makes a project that builds, runs and passes its first transcript.
enum NewCommand {
  static func run(_ arguments: ParsedArguments) throws(Failure) -> Outcome {
    let name = try ProjectName(arguments.positionals[0])
    let folder = arguments.value(of: "folder")
    let path = Files.path(name.text, from: folder)
    let template = try template(name, path, arguments)
    try requireRoom(path, folder: folder)
    do throws(SystemError) {
      try Files.makeFolder(path, with: template.allFiles)
    } catch {
      throw Failure(.usage, "could not make the folder \"\(path)\": \(error.reason).")
    }
    let output = Output()
    output.write { $0 += Array(text(template, path).utf8) }
    do throws(SystemError) { try output.flush() } catch { throw Failure(error) }
    return .success
  }

  private static func template(
    _ name: ProjectName, _ path: String, _ arguments: ParsedArguments
  ) throws(Failure) -> ProjectTemplate {
    let language = arguments.value(of: "language") ?? "swift"
    if language == "swift" {
      return try .swift(name, PackageDependency(arguments, project: path))
    }
    for option in ["path", "url", "version"] where arguments.value(of: option) != nil {
      throw Failure(
        .usage, "--\(option) is for a project in Swift; one in \(language) has all that it needs.")
    }
    switch language {
    case "c": return .c(name)
    case "cpp": return .cpp(name)
    default: return .rust(name)
    }
  }

  /// Throws if something is where the project would be.
  private static func requireRoom(_ path: String, folder: String?) throws(Failure) {
    if let folder, (try? Files.kind(of: folder)) != .directory {
      throw Failure(.usage, "--folder: there is no folder \"\(folder)\".")
    }
    guard (try? Files.isLink(path)) != nil else { return }
    guard (try? Files.isLink(path)) == false, (try? Files.kind(of: path)) == .directory else {
      throw Failure(.usage, "The file \"\(path)\" exists already.")
    }
    guard (try? Files.names(in: path))?.isEmpty == true else {
      throw Failure(
        .usage, "The folder \"\(path)\" exists already and isn't empty. Choose another name.")
    }
  }

  private static func text(_ template: ProjectTemplate, _ path: String) -> String {
    let files = template.allFiles.map(\.path).sorted().map { "  \($0)\n" }.joined()
    let commands = template.commands(program).map { "  \($0)\n" }.joined()
    return "Made \(path):\n\(files)\nNext:\n  cd \(Self.quoted(path))\n\(commands)"
  }

  /// How this program can be called from another folder.
  private static var program: String {
    guard ProgramArguments.all.first?.contains("/") == true,
      let folder = try? Files.executableFolder()
    else { return "vmhost" }
    return quoted("\(folder)/vmhost")
  }

  /// A path as a shell reads it.
  private static func quoted(_ path: String) -> String {
    let plain = path.utf8.allSatisfy { byte in
      byte > 0x7f || Character(Unicode.Scalar(byte)).isLetter
        || Character(Unicode.Scalar(byte)).isNumber || "-_./~+@%".utf8.contains(byte)
    }
    guard !plain || path.utf8.first == UInt8(ascii: "~") else { return path }
    return "'" + path.byteReplacing("'", with: "'\\''") + "'"
  }
}
