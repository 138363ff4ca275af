import BenchmarkBaselines
import Foundation
import HostCore

/// Where the built products are, and a folder for what the measurements read.
struct Setting {
  /// The folder of this program, in which all products lie.
  private let products: String
  private let folder: URL

  init() throws {
    products = try Files.executableFolder()
    folder = URL.temporaryDirectory.appending(path: "vmhost-benchmark-\(getpid())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  /// The vmhost of the bundle, as people install it; nil if there is no bundle.
  var installed: String? { ProcessInfo.processInfo.environment["VMHOST_INSTALLED"] }

  /// A folder with debug builds of the plugins, as authors have them; nil if there is none.
  var debugProducts: String? { ProcessInfo.processInfo.environment["VMHOST_DEBUG_PRODUCTS"] }

  /// Removes the folder. What stays behind lies among temporary files.
  func remove() { try? FileManager.default.removeItem(at: folder) }

  /// How `vmhost run` is told whether plugins get confined processes of their own.
  enum Isolation: CaseIterable {
    case inProcess, confined

    var options: [String] {
      switch self {
      case .inProcess: ["--in-process"]
      case .confined: ["--sandbox", "best-effort"]
      }
    }

    var words: String { self == .confined ? "confined" : "in process" }
  }

  /// The command that runs a plugin.
  func command(_ plugin: String, _ isolation: Isolation, _ more: [String] = []) -> [String] {
    [product("vmhost"), "run", plugin] + isolation.options + more
  }

  /// The path of something that the package builds.
  func product(_ name: String) -> String { "\(products)/\(name)" }

  /// Writes a file and returns its path.
  func file(_ name: String, _ content: String) throws -> String {
    let url = folder.appending(path: name)
    try Data(content.utf8).write(to: url)
    return url.path(percentEncoded: false)
  }

  /// The table of a plugin of this package, such as `libecho.so`.
  func table(_ library: String) throws -> UnsafePointer<vm_plugin> {
    guard let table = unsafe bench_load(product(library)) else {
      throw BenchmarkError("\(library) could not be loaded")
    }
    return unsafe table
  }

  func session(_ library: String) throws -> SessionEngine {
    let session = SessionEngine(options: SessionEngine.Options(), storage: MemoryStorage())
    try session.add(LocalPlugin(path: product(library), name: library), named: library)
    return session
  }

  /// A new folder with files, given by their names; returns its path.
  func folder(_ name: String, _ files: [(name: String, content: String)]) throws -> String {
    let url = folder.appending(path: name)
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    for (name, content) in files { try Data(content.utf8).write(to: url.appending(path: name)) }
    return url.path(percentEncoded: false)
  }

  /// Removes a file of that folder, if it is there.
  func removeFile(_ name: String) throws {
    guard FileManager.default.fileExists(atPath: path(name)) else { return }
    try FileManager.default.removeItem(atPath: path(name))
  }

  /// The path of something in the folder for what the measurements read.
  func path(_ name: String) -> String { folder.appending(path: name).path(percentEncoded: false) }

  /// Runs a program to its end, its standard out thrown away.
  ///
  /// - Parameters:
  ///   - input: the file that is its standard in.
  ///   - isQuiet: whether its standard error is shown only if it fails.
  func run(
    _ arguments: [String], input: String = "/dev/null", isQuiet: Bool = false,
    expecting expected: Int32 = 0
  ) throws -> bench_cost {
    var strings = unsafe arguments.map { unsafe strdup($0) } + [nil]
    defer { for index in unsafe strings.indices { unsafe free(strings[index]) } }
    var cost = bench_cost()
    let errors = path("errors.txt")
    let status = unsafe bench_run(&strings, input, isQuiet ? errors : nil, &cost)
    guard status == expected else {
      let said = isQuiet ? try String(contentsOfFile: errors, encoding: .utf8).suffix(2000) : ""
      throw BenchmarkError("\(arguments.joined(separator: " ")) ended with \(status)\n\(said)")
    }
    return cost
  }

  /// The most memory, in bytes, that a program had, or a process that it waited for.
  func peak(_ arguments: [String], input: String = "/dev/null") throws -> Int {
    let figure = path("peak.txt")
    _ = try run(
      [product("vmhost-baseline"), "peak", figure] + arguments, input: input, isQuiet: true)
    guard let kilobytes = Int(try String(contentsOfFile: figure, encoding: .utf8)) else {
      throw BenchmarkError("\(arguments.joined(separator: " ")): no peak of its memory")
    }
    return kilobytes * 1024
  }

  /// Whether a program can be run by its bare name.
  func finds(_ program: String) -> Bool {
    let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
    return path.split(separator: ":").contains {
      FileManager.default.isExecutableFile(atPath: "\($0)/\(program)")
    }
  }
}
