import Foundation
import TestSupport
import Testing

@testable import HostCore

/// Whose values a store keeps under an id.
struct StoreOwnerTests {
  /// A folder with the library of `film`, which has stored something, and another library that says
  /// it is `film`.
  private static func withStore(
    _ body: (TemporaryDirectory) async throws -> Void
  ) async throws {
    try await TemporaryDirectory.with { folder in
      try folder.write("", to: "a/.keep")
      try folder.write("", to: "b/.keep")
      try await PosingPlugin.compile("film", to: folder.file("a/film.so"))
      try await PosingPlugin.compile("film", to: folder.file("b/film.so"), loaded: "loaded b")
      try await expect("a/film.so", "> set \"mine\"\n", in: folder)
      try await body(folder)
    }
  }

  private static func expect(
    _ plugin: String, _ lines: String = "> get \"k\"\n", _ more: [String] = [],
    in folder: TemporaryDirectory, stdout: String = "", stderr: String = "", status: Int32 = 0,
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    try await VMHostRun.expect(
      ["run", plugin, "--store", "s.db"] + more + Arguments.text, .text(lines),
      workingDirectory: folder.path, stdout: stdout, stderr: stderr, status: status,
      sourceLocation: sourceLocation)
  }

  private static func library(_ name: String, in folder: TemporaryDirectory) throws -> StoreOwner {
    let path = try Files.absolute(folder.file(name))
    return StoreOwner(path: path, digest: try SHA256.digest(ofFile: path))
  }

  private static func refusal(
    _ name: String, owner: StoreOwner, in folder: TemporaryDirectory
  ) throws -> String {
    """
    vmhost: Could not load "\(name)": the store has values that another library stored as "film". \
    That library is \(owner), and this one is \(try library(name, in: folder)). If this one may \
    have them, add --store-adopt film.

    """
  }

  private static let printed = "# b/film.so printed: loaded b\n"

  @Test func `another library gets nothing of it, until the user says so`() async throws {
    try await Self.withStore { folder in
      let owner = try Self.library("a/film.so", in: folder)
      for isolation in [[], ["--in-process"]] {
        try await Self.expect(
          "b/film.so", "> get \"k\"\n", isolation, in: folder,
          stdout: isolation.isEmpty ? Self.printed : "",
          stderr: (isolation.isEmpty ? "" : "loaded b\n")
            + (try Self.refusal("b/film.so", owner: owner, in: folder)), status: 3)
      }
      try await Self.expect("a/film.so", in: folder, stdout: "< value \"mine\"\n")
      try await Self.expect(
        "b/film.so", "> get \"k\"\n", ["--store-adopt", "film"], in: folder,
        stdout: Self.printed + "< value \"mine\"\n")
      try await Self.expect("b/film.so", in: folder, stdout: Self.printed + "< value \"mine\"\n")
      let other = try Self.library("b/film.so", in: folder)
      try await Self.expect(
        "a/film.so", in: folder,
        stderr: try Self.refusal("a/film.so", owner: other, in: folder), status: 3)
    }
  }

  @Test func `a library that was moved or built again stays the owner`() async throws {
    try await Self.withStore { folder in
      let (first, second) = (folder.file("a/film.so"), folder.file("c/film.so"))
      try folder.write("", to: "c/.keep")
      try FileManager.default.moveItem(atPath: first, toPath: second)
      try await Self.expect("c/film.so", in: folder, stdout: "< value \"mine\"\n")
      try FileManager.default.removeItem(atPath: second)
      try await PosingPlugin.compile("film", to: second, loaded: "built again")
      let printed = "# c/film.so printed: built again\n"
      try await Self.expect("c/film.so", in: folder, stdout: printed + "< value \"mine\"\n")
      // It is known as it was last.
      try FileManager.default.moveItem(atPath: second, toPath: first)
      try await Self.expect(
        "a/film.so", in: folder,
        stdout: printed.replacing("c/", with: "a/") + "< value \"mine\"\n")
    }
  }

  @Test func `a store without owners belongs to its first user`() async throws {
    try await Self.withStore { folder in
      try SQLiteDatabase(path: folder.file("s.db"), name: "s.db").run("DROP TABLE owners")
      try await Self.expect("b/film.so", in: folder, stdout: Self.printed + "< value \"mine\"\n")
      let owner = try Self.library("b/film.so", in: folder)
      try await Self.expect(
        "a/film.so", in: folder,
        stderr: try Self.refusal("a/film.so", owner: owner, in: folder), status: 3)
    }
  }

  @Test(arguments: [
    ("DROP TABLE owners; CREATE TABLE owners (plugin TEXT)", "no such column: path."),
    (
      "UPDATE owners SET sha256 = 'abc'",
      "its entry for the owner of \"film\" is damaged."
    ),
    (
      "UPDATE owners SET path = 'film.so'",
      "its entry for the owner of \"film\" is damaged."
    ),
  ])
  func `damage in the table of owners is an error`(_ sql: String, _ words: String) async throws {
    try await Self.withStore { folder in
      let database = try SQLiteDatabase(path: folder.file("s.db"), name: "s.db")
      for statement in sql.split(separator: ";") { try database.run(String(statement)) }
      try await Self.expect(
        "a/film.so", in: folder, stderr: "vmhost: could not read the store \"s.db\": \(words)\n",
        status: 2)
    }
  }

  @Test func `only one of several processes becomes the owner`() async throws {
    try await TemporaryDirectory.with { folder in
      let path = folder.file("s.db")
      let won = await withTaskGroup(of: Bool.self) { group in
        for number in 0..<8 {
          group.addTask {
            let library = StoreOwner(
              path: "/\(number)", digest: String(repeating: "\(number)", count: 64))
            // Each opens the file for itself, as processes do.
            let owner = try? DatabaseStorage(path: path).claim("film") { library }
            return .some(owner) == .some(nil)
          }
        }
        return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
      }
      #expect(won == 1)
    }
  }

  @Test func `adopting needs a store, and a plugin of the session`() async throws {
    try await Self.withStore { folder in
      try await VMHostRun.expect(
        ["run", "a/film.so", "--store-adopt", "film"], workingDirectory: folder.path,
        stderr: "vmhost: --store-adopt film: there is no store. Add --store FILE.\n", status: 2)
      let unknown = """
        vmhost: no plugin has the id "flim", so none can adopt the values stored under it. Did \
        you mean \
        "film"?

        """
      try await Self.expect(
        "a/film.so", "> get \"k\"\n", ["--store-adopt", "flim"], in: folder, stderr: unknown,
        status: 2)
      try await VMHostRun.expect(
        ["run", "--store", "s.db", "--store-adopt", "flim"] + Arguments.text,
        .text("@plugin a/film.so\n@open film.box\n> get \"k\"\n"), workingDirectory: folder.path,
        stdout: "< value \"mine\"\n", stderr: unknown, status: 2)
    }
  }
}
