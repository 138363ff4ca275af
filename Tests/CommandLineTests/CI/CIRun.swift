import Foundation
import TestSupport

/// A run of one of our files for CI, in folders of this machine: with a bundle that has the vmhost
/// under test, and a project whose plugin is in C, which SwiftPM builds quickly.
struct CIRun {
  let file: CIFile
  private let folder: TemporaryDirectory
  /// What the file's variables are set to.
  private var variables: [String: String] = [:]

  init(_ engine: CIFile.Engine, in folder: TemporaryDirectory) async throws {
    file = try CIFile(engine)
    self.folder = folder
    try await makeBundle()
    try makeProject()
  }

  /// The archive, laid out as a release's.
  private mutating func makeBundle() async throws {
    let name = "vmhost-0.2.0-linux-x86_64"
    let package = "\(name)/share/vmhost/package"
    try folder.write("", to: "\(name)/bin/none")
    try folder.write(
      """
      // swift-tools-version: 6.2
      import PackageDescription
      let package = Package(
        name: "vmhost", products: [.library(name: "PluginABI", targets: ["PluginABI"])],
        targets: [.target(name: "PluginABI")])

      """, to: "\(package)/Package.swift")
    for source in ["include/vm_plugin.h", "layout.c"] {
      try folder.write(
        Repository.text("Sources/PluginABI/\(source)"), to: "\(package)/Sources/PluginABI/\(source)"
      )
    }
    let output = try await shell(
      """
      cp '\(BuildProducts.executable("vmhost"))' \(name)/bin/vmhost
      tar -cf - \(name) | gzip -1 > \(name).tar.gz
      sha256sum \(name).tar.gz
      """, in: folder.path)
    variables = [
      "VMHOST_URL": "file://\(folder.file(name)).tar.gz",
      "VMHOST_SHA256": String(output.stdout.prefix(64)), "TRANSCRIPTS": "Transcripts",
      "SHARDS": "4",
    ]
  }

  /// What is checked out: nine transcripts, of which one fails.
  private func makeProject() throws {
    try folder.write(
      """
      // swift-tools-version: 6.2
      import PackageDescription
      let package = Package(
        name: "mine", products: [.library(name: "echo", type: .dynamic, targets: ["Echo"])],
        dependencies: [
          .package(name: "vmhost", path: Context.environment["VMHOST_PACKAGE"] ?? "/nowhere")
        ],
        targets: [
          .target(name: "Echo", dependencies: [.product(name: "PluginABI", package: "vmhost")])
        ])

      """, to: "project/Package.swift")
    try folder.write(
      Repository.text("Examples/EchoPlugin/echo.c"), to: "project/Sources/Echo/echo.c")
    try folder.write("", to: "project/Sources/Echo/include/echo.h")
    for index in 0..<9 {
      try folder.write(
        index == 4 ? Sample.failed : Sample.passed, to: "project/Transcripts/\(index).vmt")
    }
  }

  /// Runs a job in a new folder with the project and these files of other jobs.
  func job(
    _ job: String, shard: Int = 1, with artifacts: [String] = [],
    variables more: [String: String] = [:]
  ) async throws -> (output: ChildProcess.Output, folder: String) {
    let place = folder.file("\(job)-\(shard)-\(UUID().uuidString)")
    _ = try await shell(
      (["cp -R project '\(place)'", "mkdir '\(place)/home'"]
        + artifacts.map { "cp -R '\($0)' '\(place)/'" }).joined(separator: "\n"), in: folder.path)
    let paths = place + "/home/paths"
    let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
    var environment = ["PATH": path, "HOME": place + "/home"]
    environment.merge(variables) { $1 }
    switch file.engine {
    case .github:
      environment["GITHUB_PATH"] = paths
      environment["SHARD"] = "\(shard)"
    case .gitlab:
      environment["CI_NODE_INDEX"] = "\(shard)"
      environment["CI_NODE_TOTAL"] = "4"
    }
    environment.merge(more) { $1 }
    var last = ChildProcess.Output(stdoutBytes: [], stderrBytes: [], status: .success)
    for script in file.scripts(of: job) where last.status == .success {
      last = try await ChildProcess.run(
        "/usr/bin/env", file.shell + [script], environment: environment, workingDirectory: place,
        within: .seconds(300))
      if let added = try? String(contentsOfFile: paths, encoding: .utf8) {
        environment["PATH"] = "\(added.filter { $0 != "\n" }):\(path)"
      }
    }
    return (last, place)
  }

  private func shell(_ script: String, in path: String) async throws -> ChildProcess.Output {
    let output = try await ChildProcess.run("/bin/sh", ["-ec", script], workingDirectory: path)
    guard output.status == .success else { throw TestSupportError(output.stderr) }
    return output
  }
}
