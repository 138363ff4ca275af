import Foundation

/// Programs and libraries from Python's package index, in a folder of their own.
struct PythonTools {
  private let folder: String

  /// Installs packages; nil, with a word why, where that isn't possible.
  init?(_ setting: Setting, _ packages: [String]) {
    folder = setting.path("python")
    do {
      _ = try setting.run(["python3", "-m", "venv", folder], isQuiet: true)
      _ = try setting.run(
        ["\(folder)/bin/pip", "install", "--quiet", "--disable-pip-version-check"] + packages,
        isQuiet: true)
    } catch {
      Benchmark.note(
        "\(packages.joined(separator: " and ")) could not be installed, so nothing is compared with"
          + " them: \(error)")
      return nil
    }
  }

  /// The path of a file of a package; nil if it has no such file.
  func file(_ name: String) -> String? {
    let packages = FileManager.default.enumerator(atPath: "\(folder)/lib")
    let found = packages?.first { ($0 as? String)?.hasSuffix("/site-packages/\(name)") == true }
    return (found as? String).map { "\(folder)/lib/\($0)" }
  }

  func path(_ program: String) -> String { "\(folder)/bin/\(program)" }
}
