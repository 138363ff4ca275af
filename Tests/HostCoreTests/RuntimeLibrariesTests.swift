import Foundation
import TestSupport
import Testing

@testable import HostCore

extension InProcessTests {
  /// Libraries of the Swift runtime, which are loaded before a plugin that needs them.
  @Suite struct RuntimeLibrariesTests {
    @Test func `loads what a plugin needs of Foundation`() throws {
      let names = RuntimeLibraries.load(for: try BuildProducts.library("account"))
      #expect(names.contains("libswiftCore.so"))
      #expect(names.contains("libFoundationInternationalization.so"))
    }

    @Test func `loads nothing for a file that is no library or is not there`() async throws {
      try await TemporaryDirectory.with { folder in
        let text = try folder.write("text", to: "text.so")
        #expect(RuntimeLibraries.load(for: text) == [])
        #expect(RuntimeLibraries.load(for: folder.file("none.so")) == [])
      }
    }

    @Test func `leaves a plugin's own libraries to be loaded with it`() async throws {
      try await TemporaryDirectory.with { folder in
        // It needs a library of another name in the place of Swift's.
        let path = folder.file("echo.so")
        try LibraryNeedsTests.echo(needing: "libswiftCorx.so").write(to: .init(filePath: path))
        #expect(RuntimeLibraries.load(for: path) == [])
      }
    }
  }
}
