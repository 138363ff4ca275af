import Basics
import CanonicalJSON
import HostCore

/// The durations of transcripts, by path.
///
/// The file is a JSON object with seconds, one path per line, sorted, so that it can be kept under
/// version control with the transcripts.
struct Timings: Sendable, Equatable {
  private(set) var times: [PathKey: Nanoseconds] = [:]

  subscript(path: String) -> Nanoseconds? { times[PathKey(path)] }

  /// Adds the times of transcripts that ran to their end. The other times say nothing about the
  /// next run.
  mutating func merge(_ results: [TestResult]) {
    for result in results {
      switch result.verdict {
      case .passed, .unverified, .failed: times[PathKey(result.path)] = result.duration
      default: break
      }
    }
  }

  // MARK: Bytes

  var bytes: [UInt8] {
    guard !times.isEmpty else { return Array("{}\n".utf8) }
    var output = Array("{".utf8)
    var separator = "\n  "
    for (key, time) in times.sorted(by: { $0.key < $1.key }) {
      output += Array(separator.utf8)
      separator = ",\n  "
      CanonicalJSON.appendString(key.path, to: &output)
      output += Array(": ".utf8)
      // Smaller units differ in every run and say nothing.
      TimeSpan.appendSeconds(time / 1_000 * 1_000, to: &output)
    }
    return output + Array("\n}\n".utf8)
  }

  /// - Throws: a `Failure` that names the line, as a compiler does.
  init(parsing bytes: [UInt8], source: String) throws(Failure) {
    do throws(ScriptError) {
      for member in try LocatedObject(parsing: bytes.span, what: "this file").members {
        let key = PathKey(member.name)
        guard times[key] == nil else {
          throw ScriptError("this path appears twice.", at: member.nameOffset)
        }
        guard let time = member.seconds else {
          throw ScriptError("a time must be \(LocatedObject.secondsForm).", at: member.offset)
        }
        times[key] = time
      }
    } catch {
      let before = bytes[..<min(error.offset, bytes.count)]
      let start = before.lastIndex(of: 0x0a).map { $0 + 1 } ?? 0
      let end = bytes[start...].firstIndex(of: 0x0a) ?? bytes.count
      let number = before.count { $0 == 0x0a } + 1
      let located = ScriptError(error.message, at: error.offset - start)
      throw Failure(
        .usage,
        located.report(source: source, number: number, line: bytes.span.extracting(start..<end)))
    }
  }

  init() {}

  // MARK: Files

  /// Reads the timings in a file. There are none if the file doesn't exist yet.
  static func read(_ path: String) throws(Failure) -> Timings {
    do throws(SystemError) {
      guard try ReportFile.exists(path) else { return Timings() }
    } catch { throw ReportFile.unreadable(path, error) }
    return try Timings(parsing: ReportFile.read(path), source: path)
  }

  func write(_ path: String) throws(Failure) { try ReportFile.write(bytes, to: path) }
}
