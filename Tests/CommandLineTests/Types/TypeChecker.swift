import Foundation
import TestSupport

/// A compiler that only checks types. A test can do without it, and says so.
enum TypeChecker: String, Sendable {
  case typeScript = "tsc"
  case python = "mypy"

  var fileEnding: String { self == .typeScript ? ".ts" : ".py" }

  /// The errors in files of a folder, each with its file and line, as in `use.ts:7`; nil where the
  /// compiler is missing.
  func errors(_ files: [String], in folder: TemporaryDirectory) async throws -> [String]? {
    guard let path = Programs.path(of: rawValue) else {
      print("\(rawValue) is missing: generated types aren't checked with it")
      return nil
    }
    let names = files.map { $0 + fileEnding }
    let output = try await ChildProcess.run(
      path, options + names, workingDirectory: folder.path, within: .seconds(300))
    let errors = output.lines.compactMap(place)
    guard errors.isEmpty == (output.status == .success) else {
      throw Failure(description: "\(rawValue): \(output.status) \(output.stdout)\(output.stderr)")
    }
    return errors.reduce(into: []) { places, place in
      if places.last != place { places.append(place) }
    }
  }

  private var options: [String] {
    switch self {
    case .typeScript: ["--strict", "--noEmit", "--pretty", "false"]
    case .python:
      ["--strict", "--python-version", "3.11", "--no-error-summary", "--cache-dir=/dev/null"]
    }
  }

  /// The place in `use.ts(7,3): error …` or `use.py:7: error: …`.
  private func place(_ line: String) -> String? {
    guard line.contains(fileEnding), line.contains(": error") else { return nil }
    let parts = line.split { $0 == "(" || $0 == ":" || $0 == "," }
    return "\(parts[0]):\(parts[1])"
  }

  struct Failure: Error, CustomStringConvertible { let description: String }
}

extension String {
  /// Where the errors in this source aren't just in the lines that end with "wrong". Errors in
  /// files with other names than `use…` are surprises, too.
  func surprises(_ errors: [String], in name: String = "use") -> [String] {
    var surprises = errors.filter { !$0.hasPrefix("use") }
    for (index, line) in split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
      let isRefused = errors.contains { place in
        place.hasPrefix("\(name).") && place.hasSuffix(":\(index + 1)")
      }
      guard isRefused != line.hasSuffix(" wrong") else { continue }
      surprises.append("\(isRefused ? "refused" : "taken"): \(line)")
    }
    return surprises
  }
}
