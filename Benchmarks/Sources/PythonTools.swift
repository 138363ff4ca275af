/// Programs from Python's package index, in a folder of their own.
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

  func path(_ program: String) -> String { "\(folder)/bin/\(program)" }
}
