import Basics
import HostCore

/// Results as JUnit XML, for the test pages of CI systems.
///
/// A folder is a suite, and a transcript is a case. A difference is a `failure`. A transcript that
/// could not be played to its end is an `error`. One that wasn't played is `skipped`, and so is
/// an unverified one, because nothing was compared: Jenkins, GitLab and the usual actions for
/// GitHub count it separately, and none of them fails a build for it.
enum JUnitReport {
  /// - Parameter missing: the layers of confinement that plugins ran without, by their names. They
  ///   become a property of each suite.
  static func bytes(_ results: [TestResult], missing: [String] = []) -> [UInt8] {
    var output = Array("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites".utf8)
    XMLText.appendAttribute("name", "vmhost", to: &output)
    appendCounts(results, to: &output)
    output += Array(">\n".utf8)
    for (folder, suite) in suites(results) {
      output += Array("  <testsuite".utf8)
      XMLText.appendAttribute("name", folder.isEmpty ? "." : folder, to: &output)
      appendCounts(suite, to: &output)
      output += Array(">\n".utf8)
      if !missing.isEmpty {
        output += Array("    <properties>\n      <property".utf8)
        XMLText.appendAttribute("name", "missing-confinement", to: &output)
        XMLText.appendAttribute("value", missing.joined(separator: " "), to: &output)
        output += Array("/>\n    </properties>\n".utf8)
      }
      for result in suite { appendCase(result, in: folder, to: &output) }
      output += Array("  </testsuite>\n".utf8)
    }
    return output + Array("</testsuites>\n".utf8)
  }

  private enum Element: String { case failure, error, skipped }

  private static func element(_ verdict: Verdict) -> Element? {
    switch verdict {
    case .passed: nil
    case .unverified, .skipped: .skipped
    case .failed, .nondeterministic: .failure
    case .crashed, .timedOut, .invalid, .notLoaded: .error
    }
  }

  /// The results by folder. Folders and results are in the order of their paths.
  private static func suites(
    _ results: [TestResult]
  ) -> [(folder: String, results: [TestResult])] {
    Dictionary(grouping: results.sortedByPath) { PathKey(split($0.path).folder) }
      .sorted { $0.key < $1.key }.map { ($0.key.path, $0.value) }
  }

  private static func split(_ path: String) -> (folder: String, name: String) {
    (Files.folder(of: path).map { $0.isEmpty ? "/" : $0 } ?? "", Files.name(of: path))
  }

  /// The class name for a folder: names joined by dots, as Jenkins and GitLab expect it.
  private static func className(_ folder: String) -> String {
    let names = Files.components(of: folder).filter { $0 != "." && $0 != ".." }
    return names.isEmpty ? "transcripts" : names.joined(separator: ".")
  }

  private static func appendCounts(_ results: [TestResult], to output: inout [UInt8]) {
    let elements = results.map { element($0.verdict) }
    let time = results.reduce(Nanoseconds(0)) { $0.addingSaturated($1.duration) }
    for (name, count) in [
      ("tests", results.count), ("failures", elements.count { $0 == .failure }),
      ("errors", elements.count { $0 == .error }), ("skipped", elements.count { $0 == .skipped }),
    ] {
      XMLText.appendAttribute(name, "\(count)", to: &output)
    }
    appendTime(time, to: &output)
  }

  private static func appendTime(_ time: Nanoseconds, to output: inout [UInt8]) {
    output += Array(" time=\"".utf8)
    TimeSpan.appendSeconds(time, to: &output)
    output.append(UInt8(ascii: "\""))
  }

  private static func appendCase(
    _ result: TestResult, in folder: String, to output: inout [UInt8]
  ) {
    output += Array("    <testcase".utf8)
    XMLText.appendAttribute("name", split(result.path).name, to: &output)
    XMLText.appendAttribute("classname", className(folder), to: &output)
    XMLText.appendAttribute("file", result.path, to: &output)
    if result.line > 0 { XMLText.appendAttribute("line", "\(result.line)", to: &output) }
    appendTime(result.duration, to: &output)
    guard let element = element(result.verdict) else {
      output += Array("/>\n".utf8)
      return
    }
    output += Array(">\n".utf8)
    append(element, of: result, to: &output)
    output += Array("    </testcase>\n".utf8)
  }

  private static func append(
    _ element: Element, of result: TestResult, to output: inout [UInt8]
  ) {
    let fallback = element == .skipped ? "it expects nothing, so nothing was compared" : ""
    let summary = result.summary.isEmpty ? fallback : result.summary
    output += Array("      <\(element)".utf8)
    XMLText.appendAttribute("message", summary, to: &output)
    guard element != .skipped else {
      output += Array("/>\n".utf8)
      return
    }
    XMLText.appendAttribute("type", result.verdict.rawValue, to: &output)
    output.append(UInt8(ascii: ">"))
    // GitLab shows only the content and not the message, so the content has everything.
    XMLText.append("\(result.location): \(summary)\n", to: &output)
    if !result.details.isEmpty { XMLText.append("\n\(result.details)\n", to: &output) }
    output += Array("</\(element)>\n".utf8)
  }
}

extension TestResult {
  /// The path, with the line if there is one.
  var location: String { line > 0 ? "\(path):\(line)" : path }
}

extension Nanoseconds {
  /// The sum, clamped to the maximum.
  func addingSaturated(_ other: Nanoseconds) -> Nanoseconds {
    let (sum, overflow) = addingReportingOverflow(other)
    return overflow ? .max : sum
  }
}
