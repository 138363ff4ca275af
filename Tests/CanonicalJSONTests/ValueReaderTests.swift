import Basics
import CanonicalJSON
import Foundation
import TestSupport
import Testing

/// What reads and writes values in plugins of other languages, compared with the host's own reader:
/// `vm_helper.h`, with checks of each access to memory, and `vm.rs`.
struct ValueReaderTests {
  private static let documents: [[UInt8]] = {
    let suite = JSONTestSuiteTests.accepted + JSONTestSuiteTests.refused
    let texts = suite.map { rawBytes($0.1) }
    let depths = [255, 256, 257].map { depth in
      [UInt8](repeating: UInt8(ascii: "["), count: depth)
        + [UInt8](repeating: UInt8(ascii: "]"), count: depth)
    }
    let words = [
      "", " ", "9223372036854775807", "-9223372036854775808", "9223372036854775808", "-", "-0",
      "0.1", "1.5e300", "5.0e-324", "123456789.123456789", "\"\\ud83d\\ude00\"", "\"\\ud83d\"",
      "\"\\ude00\"", "\"\\ud83dx\"", "\"\\ud83d\\u0041\"", "\"\\u00\"", "\"\\", "\"\u{7f}\"",
      "tru", "nul", "[1,", "{\"a\"", "{\"a\":", "{\"a\":1,", "{,}", "[,]", "\"a",
    ]
    var random = SplitMix64(seed: 0x5EED)
    return texts + depths + words.map(bytes)
      + (0..<20_000).map { _ in random.mutated(JSONFuzzTests.seeds) }
  }()

  @Test func `vm_helper reads and writes values as the host does`() async throws {
    try await TemporaryDirectory.with { folder in
      let root = try Repository.root()
      let program = folder.file("reader")
      try await Compiler.c.run([
        "-std=c11", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-g", "-O1",
        "-fsanitize=address,undefined", "-fno-sanitize-recover=all",
        "-I", "\(root)/Sources/PluginABI/include", "-I", "\(root)/Examples/plugins/c",
        "\(root)/Tests/Fixtures/ValueReader/reader.c", "-o", program,
      ])
      try await Self.compare(program)
    }
  }

  @Test func `the bindings for Rust read and write values as the host does`() async throws {
    guard let rustc = Programs.path(of: "rustc") else {
      print("rustc is missing: vm.rs isn't tried")
      return
    }
    try await TemporaryDirectory.with { folder in
      let root = try Repository.root()
      let program = folder.file("reader")
      // Its inner attributes and comments can't stand in an included file.
      let bindings = try Repository.text("Examples/plugins/rust/src/vm.rs")
        .split(separator: "\n", omittingEmptySubsequences: false)
        .filter { !$0.hasPrefix("//!") && !$0.hasPrefix("#![") }.joined(separator: "\n")
      let path = try folder.write(bindings, to: "vm.rs")
      let output = try await ChildProcess.run(
        "/usr/bin/env",
        [
          "VM_RS=\(path)", rustc, "--edition", "2021", "-A", "warnings",
          "-C", "linker=\(Compiler.c.path)", "\(root)/Tests/Fixtures/ValueReader/reader.rs",
          "-o", program,
        ], within: .seconds(300))
      try #require(output.status == .success, "\(output.stderr)")
      try await Self.compare(program)
    }
  }

  /// Gives a reader all documents, and looks at what it makes of each.
  private static func compare(_ program: String) async throws {
    var frames: [UInt8] = []
    for document in documents {
      frames += (0..<4).map { UInt8(truncatingIfNeeded: document.count >> (8 * $0)) } + document
    }
    let output = try await ChildProcess.run(program, [], input: .bytes(frames))
    try #require(output.status == .success, "\(output.stderr)")
    let lines = output.stdoutBytes.split(
      separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false
    ).dropLast()
    try #require(lines.count == documents.count)
    for (document, line) in zip(documents, lines) {
      let found = line.elementsEqual([UInt8(ascii: "-")]) ? nil : Array(line)
      switch Result(catching: { try JSONValue(parsing: document.span) }) {
      case .success(let expected):
        let written = try found.map { try JSONValue(parsing: $0.span) }
        #expect(written?.canonicalText == expected.canonicalText, "\(text(document))")
      case .failure(let error):
        // The readers of plugins don't look for keys that are there twice; the host does.
        let isDuplicate = (error as? JSONError)?.code == .duplicateKey
        if !isDuplicate { #expect(found == nil, "\(text(document)): \(error)") }
      }
    }
  }
}
