import Foundation
import HostCore
import TestSupport
import Testing

/// A run of `vmhost test --watch` without a terminal.
struct WatchedTests {
  let folder: TestFolder
  let child: ChildProcess

  static func start(_ folder: TestFolder, _ arguments: [String] = []) throws -> WatchedTests {
    let child = try VMHostRun.start(
      ["test", "t", "--watch"] + arguments, workingDirectory: folder.path, input: .null)
    return WatchedTests(folder: folder, child: child)
  }

  /// What is printed up to the wait for the next change, without times and empty lines.
  func run() throws -> [String] {
    var lines: [String] = []
    while let line = try child.readLine() {
      if line == "Waiting for changes" { return lines }
      if !line.isEmpty { lines.append(line.replacing(/[0-9]+\.[0-9]{3}s/, with: "TIME")) }
    }
    throw TestSupportError("It ended after \(lines).")
  }

  /// Compares what is printed up to the wait for the next change.
  func expectRun(
    _ expected: [String], sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let lines = try run()
    #expect(lines == expected, sourceLocation: sourceLocation)
  }

  func expectRun(
    endingWith last: String, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let lines = try run()
    #expect(lines.last == last, "\(lines)", sourceLocation: sourceLocation)
  }

  func write(_ text: String, to name: String) throws { try folder.folder.write(text, to: name) }

  func replace(_ name: String, with other: String) throws {
    try TestFile.replace(folder.file(name), with: folder.file(other))
  }

  /// Writes a part of a file.
  func append(_ bytes: [UInt8], to name: String) throws {
    let file = try FileDescriptor.openForAppending(folder.file(name))
    try file.write(bytes.span)
  }

  func end(_ signal: Int32 = SIGINT) throws -> ChildProcess.Output {
    child.kill(signal)
    return try child.wait()
  }

  /// Waits until the processes of the last run have ended, and no more descriptors are open.
  ///
  /// - Returns: how many are open.
  @discardableResult
  func waitUntilIdle(descriptors limit: Int = .max) throws -> Int {
    let process = "/proc/\(child.processID)"
    let end = SystemClock.monotonic() + 20_000_000_000
    while true {
      let children = try Files.names(in: "\(process)/task").contains { thread in
        (try? Files.read("\(process)/task/\(thread)/children"))?.isEmpty == false
      }
      let descriptors = try Files.names(in: "\(process)/fd").count
      if !children && descriptors <= limit { return descriptors }
      try #require(
        SystemClock.monotonic() < end, "a process is left, or \(descriptors) descriptors")
    }
  }
}
