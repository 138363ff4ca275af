import Foundation
import TestSupport
import Testing

@testable import HostCore

extension InProcessTests {
  /// Libraries of the Swift runtime, which are loaded before a plugin that needs them.
  @Suite struct RuntimeLibrariesTests {
    @Test func `finds what a plugin needs of Foundation`() throws {
      let files = RuntimeLibraries.needed(by: try BuildProducts.library("account"))
      let names = files.map { URL(filePath: $0).lastPathComponent }
      #expect(names.contains("libswiftCore.so"))
      #expect(names.contains("libFoundationInternationalization.so"))
    }

    @Test func `finds nothing for a file that is no library or is not there`() async throws {
      try await TemporaryDirectory.with { folder in
        let text = try folder.write("text", to: "text.so")
        #expect(RuntimeLibraries.needed(by: text) == [])
        #expect(RuntimeLibraries.needed(by: folder.file("none.so")) == [])
      }
    }

    @Test func `leaves out a plugin's own libraries`() async throws {
      try await TemporaryDirectory.with { folder in
        // It needs a library of another name in the place of Swift's.
        let path = folder.file("echo.so")
        try LibraryNeedsTests.echo(needing: "libswiftCorx.so").write(to: .init(filePath: path))
        #expect(RuntimeLibraries.needed(by: path) == [])
      }
    }
  }
}
