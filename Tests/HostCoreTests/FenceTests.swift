import Foundation
import HostCore
import TestSupport
import Testing

/// Style as a test: what the sources may use, and where.
struct FenceTests {
  struct File: CustomTestStringConvertible {
    /// From the package's folder on.
    let path: String
    let lines: [String]

    var testDescription: String { path }

    /// The lines that aren't comments, with their numbers.
    var code: [(number: Int, text: String)] {
      lines.enumerated().map { ($0.offset + 1, $0.element) }
        .filter { !$0.1.trimmingCharacters(in: .whitespaces).hasPrefix("//") }
    }

    func isIn(_ folders: [String]) -> Bool {
      folders.contains { path == $0 || path.hasPrefix($0 + "/") }
    }
  }

  private static let package = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().path

  /// All sources in `folders` whose name ends so.
  private static func files(
    _ folders: [String], ending suffixes: [String] = [".swift"]
  ) throws -> [File] {
    var files: [File] = []
    for folder in folders {
      let walker = try #require(FileManager.default.enumerator(atPath: "\(package)/\(folder)"))
      for case let name as String in walker
      where suffixes.contains(where: name.hasSuffix) && !name.contains(".build/") {
        let text = try String(contentsOfFile: "\(package)/\(folder)/\(name)", encoding: .utf8)
        files.append(File(path: "\(folder)/\(name)", lines: text.components(separatedBy: "\n")))
      }
    }
    try #require(!files.isEmpty)
    return files
  }

  private static func places(
    of words: [String], in files: [File], except folders: [String]
  ) -> [String] {
    files.filter { !$0.isIn(folders) }.flatMap { file in
      file.code.filter { line in words.contains { line.text.contains($0) } }
        .map { "\(file.path):\($0.number): \($0.text)" }
    }
  }

  @Test func `unsafe code is behind the fence`() throws {
    let words = ["Unsafe", "OpaquePointer", "unsafeBitCast", "unsafe ", "import Glibc"]
    let fence = [
      "Sources/HostCore/System", "Sources/HostCore/InProcess", "Sources/HostCore/Worker",
      "Sources/HostCore/WorkerProcess", "Sources/HostCore/Effects/SQLiteLibrary.swift",
      "Sources/Basics/Bytes.swift", "Sources/CanonicalJSON/Syntax", "Sources/ViewModelKit/Executor",
      "Sources/ViewModelKit/Events", "Sources/ViewModelKit/Export",
      "Sources/ViewModelKit/Instance/PartPlan.swift",
    ]
    let files = try Self.files(["Sources", "Plugins", "Examples"])
    #expect(Self.places(of: words, in: files, except: fence) == [])
    // A fence around nothing would hold nothing.
    #expect(!Self.places(of: words, in: files, except: []).isEmpty)
  }

  @Test func `only the http provider, the text of amounts and a part of the kit import Foundation`()
    throws
  {
    let files = try Self.files(["Sources", "Plugins", "Examples"])
    let except = [
      "Sources/vmhost-http", "Sources/ViewModelKitFoundation",
      "Plugins/AccountPlugin/Presentation/AmountText.swift",
    ]
    #expect(Self.places(of: ["import Foundation"], in: files, except: except) == [])
    #expect(!Self.places(of: ["import Foundation"], in: files, except: []).isEmpty)
  }

  @Test func `the domain of a plugin imports nothing`() throws {
    let files = try Self.files(["Plugins"]).filter { $0.path.contains("/Domain/") }
    try #require(!files.isEmpty)
    let imports = files.flatMap { file in
      file.code.filter { $0.text.hasPrefix("import ") || $0.text.contains(" import ") }
        .map { "\(file.path):\($0.number): \($0.text)" }
    }
    #expect(imports == [])
  }

  @Test func `the host imports neither the kit nor a plugin`() throws {
    let files = try Self.files(["Sources/HostCore", "Sources/vmhost"])
    let words = ["import ViewModelKit", "import MoviesPlugin"]
    // The texts of new plugins.
    let except = ["Sources/vmhost/Commands/New/Templates"]
    #expect(Self.places(of: words, in: files, except: except) == [])
  }

  @Test func `what the compiler can't check has its reason above it`() throws {
    var bare: [String] = []
    for file in try Self.files(["Sources", "Plugins", "Examples", "Tests"]) {
      for line in file.code
      where line.text.contains("@unchecked " + "Sendable")
        || line.text.contains("nonisolated(" + "unsafe)")
      {
        let above = line.number > 1 ? file.lines[line.number - 2] : ""
        if !above.trimmingCharacters(in: .whitespaces).hasPrefix("//") {
          bare.append("\(file.path):\(line.number)")
        }
      }
    }
    #expect(bare == [])
  }

  private static let allFolders = [
    "Sources", "Plugins", "Examples", "Tests", "Fuzz", "Benchmarks",
  ]
  private static let allKinds = [".swift", ".c", ".h", ".cpp", ".js"]

  @Test func `no file has more than 500 lines, no line more than 100 columns`() throws {
    // Projects copy it as one file.
    let whole = "/vm_helper.h"
    var tooLong: [String] = []
    for file in try Self.files(Self.allFolders, ending: Self.allKinds) {
      if file.lines.count > 501, !file.path.hasSuffix(whole) {
        tooLong.append("\(file.path): \(file.lines.count) lines")
      }
      for (index, line) in file.lines.enumerated() where line.count > 100 {
        tooLong.append("\(file.path):\(index + 1): \(line.count) columns")
      }
    }
    #expect(tooLong == [])
  }

  @Test func `nothing is left to do, tabbed or trailing`() throws {
    var places: [String] = []
    for file in try Self.files(Self.allFolders, ending: Self.allKinds) {
      for (index, line) in file.lines.enumerated() {
        let isBad = ["TO" + "DO", "FIX" + "ME", "\t"].contains { line.contains($0) }
        if isBad || line.hasSuffix(" ") { places.append("\(file.path):\(index + 1): \(line)") }
      }
    }
    #expect(places == [])
  }

  /// A symbol that an executable exports wins over a plugin's own of the same name.
  @Test(arguments: ["vmhost", "vmhost-worker"])
  func `a worker's program exports nothing that a plugin could mean`(program: String) throws {
    let image = try ELFImage(path: try BuildProducts.executable(program))
    let exported = image.exportedSymbols.filter { name in
      name.hasPrefix("$s") || name.hasPrefix("vm_") || name.hasPrefix("host_")
    }
    #expect(exported == [])
    // What plugins get instead of the C library's.
    #expect(Set(["clock_gettime", "getrandom"]).isSubset(of: image.exportedSymbols))
    // The same reader finds what a plugin exports.
    let plugin = try ELFImage(path: try BuildProducts.library("echo"))
    #expect(plugin.exportedSymbols.contains("vm_plugin_entry_v1"))
  }
}

/// The dynamic symbols of an ELF file (elf(5)).
private struct ELFImage {
  let exportedSymbols: [String]

  init(path: String) throws {
    let bytes = try Files.read(path)
    func number(_ offset: Int, _ count: Int) -> Int {
      (0..<count).reduce(0) { $0 | Int(bytes[offset + $1]) << (8 * $1) }
    }
    let sections = (0..<number(60, 2)).map { number(40, 8) + $0 * number(58, 2) }
    let dynamicSymbols: Int? = sections.first { number($0 + 4, 4) == 11 }
    let table = try #require(dynamicSymbols)
    let names = number(sections[number(table + 40, 4)] + 24, 8)
    let start = number(table + 24, 8)
    var exported: [String] = []
    for symbol in stride(from: start, to: start + number(table + 32, 8), by: 24) {
      let isDefined = number(symbol + 6, 2) != 0
      let isGlobal = bytes[symbol + 4] >> 4 != 0
      let isVisible = bytes[symbol + 5] & 3 == 0
      guard isDefined, isGlobal, isVisible else { continue }
      let name = bytes[(names + number(symbol, 4))...].prefix { $0 != 0 }
      exported.append(String(decoding: name, as: UTF8.self))
    }
    exportedSymbols = exported
  }
}
