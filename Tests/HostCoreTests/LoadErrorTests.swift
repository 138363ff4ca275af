import Foundation
import HostCore
import TestSupport
import Testing

extension InProcessTests {
  /// Libraries that won't load, and the words for why.
  struct LoadErrorTests {
    private static func failure(loading path: String) -> String {
      do {
        _ = try LocalPlugin(path: path, name: "x.so")
        return "it loaded"
      } catch { return error.description }
    }

    /// A change to the bytes of a library.
    typealias Patch = @Sendable (inout [UInt8]) -> Void

    private static func patched(_ patch: Patch) async throws -> String {
      try await TemporaryDirectory.with { folder in
        var bytes = try Files.read(try BuildProducts.library("echo"))
        patch(&bytes)
        let path = folder.file("x.so")
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        return failure(loading: path).replacing(path, with: "PATH")
      }
    }

    private static func replace(_ old: String, _ new: String) -> Patch {
      precondition(old.utf8.count == new.utf8.count)
      return { bytes in
        for range in bytes.ranges(of: Array(old.utf8)).reversed() {
          bytes.replaceSubrange(range, with: Array(new.utf8))
        }
      }
    }

    private static func set(_ offset: Int, _ value: UInt8) -> Patch {
      { bytes in bytes[offset] = value }
    }

    private static let damages: [(Patch, String)] = [
      ({ $0 = [] }, "it is not a shared library: the file is empty."),
      (
        { $0 = Array("Not a library, but a text of some length.".utf8) },
        "it is not a shared library: it has no ELF header."
      ),
      ({ $0 = Array($0.prefix(40)) }, "it is not a shared library: the file is cut short."),
      (
        set(4, 1),
        "it was built for 32-bit x86_64, this host runs on x86_64. Rebuild it for x86_64."
      ),
      (set(18, 183), "it was built for aarch64, this host runs on x86_64. Rebuild it for x86_64."),
      (
        {
          $0[18] = 0x34
          $0[19] = 0x12
        },
        "it was built for machine 4660, this host runs on x86_64. Rebuild it for x86_64."
      ),
      (set(16, 2), "it is not a shared library: it is an ELF file of another type."),
      (
        replace("libc.so.6", "libc.so.9"),
        "it needs the library \"libc.so.9\", which was not found. Install it, or put its folder in"
          + " LD_LIBRARY_PATH."
      ),
      (
        replace("\0calloc\0", "\0callok\0"),
        "it uses \"callok\", which is in none of the libraries that it was linked with. It was"
          + " built against another version of one of them, or linked without one."
      ),
      (
        replace("vm_plugin_entry_v1", "vm_plugin_entry_v0"),
        "it has no \"vm_plugin_entry_v1\", so it is not a plugin of this ABI. Export that function"
          + " (vm_plugin.h says how)."
      ),
    ]

    @Test(arguments: damages.indices)
    func `says what is wrong with a damaged library`(_ index: Int) async throws {
      let (patch, words) = Self.damages[index]
      #expect(try await Self.patched(patch) == "Could not load \"x.so\": " + words)
    }

    @Test func `loads the library that these damages are done to`() async throws {
      #expect(try await Self.patched { _ in } == "it loaded")
    }

    /// Puts the program headers at the end, past 64 KiB, as a tool that adds one does.
    private static let moveProgramHeaders: Patch = { bytes in
      let table = Int(bytes[32]) | Int(bytes[33]) << 8
      let headers = Array(bytes[table..<table + 56 * Int(bytes[56])])
      bytes += Array(repeating: 0, count: max(1 << 17 - bytes.count, 0) + 16 - bytes.count % 16)
      for index in 0..<8 {
        bytes[32 + index] = UInt8(truncatingIfNeeded: bytes.count >> (8 * index))
      }
      bytes += headers
    }

    @Test func `loads a library whose program headers lie far behind its beginning`() async throws {
      #expect(try await Self.patched(Self.moveProgramHeaders) == "it loaded")
    }

    private static let brokenTables: [(Patch, String)] = [
      // The table is said to lie outside of the file, at the end of all numbers, and to be long.
      (set(34, 0xff), "the file is cut short"),
      ({ for index in 32..<40 { $0[index] = 0xff } }, "the file is cut short"),
      ({ for index in 32..<39 { $0[index] = 0xff } }, "the file is cut short"),
      ({ $0.replaceSubrange(56..<58, with: [0x92, 0x04]) }, "the file is cut short"),
      (
        { $0.replaceSubrange(56..<58, with: [0x93, 0x04]) },
        "it has 1171 program headers, more than the 1170 that Linux takes"
      ),
      (
        { $0.replaceSubrange(56..<58, with: [0xff, 0xff]) },
        "it has 65535 program headers, more than the 1170 that Linux takes"
      ),
      (set(54, 0), "its program headers have 0 bytes instead of 56"),
      (set(54, 57), "its program headers have 57 bytes instead of 56"),
      (
        { $0.replaceSubrange(54..<56, with: [0xff, 0xff]) },
        "its program headers have 65535 bytes instead of 56"
      ),
      // The table of sections.
      ({ for index in 40..<48 { $0[index] = 0xff } }, "the file is cut short"),
      ({ $0.replaceSubrange(58..<62, with: [0xff, 0xff, 0xff, 0xff]) }, "the file is cut short"),
    ]

    @Test(arguments: brokenTables.indices)
    func `refuses a library whose tables can't be right`(_ index: Int) async throws {
      let (patch, words) = Self.brokenTables[index]
      let found = try await Self.patched(patch)
      #expect(found == "Could not load \"x.so\": it is not a shared library: \(words).")
    }

    @Test(arguments: [0.1, 0.25, 0.5, 0.999])
    func `a library that was cut short is never mapped`(_ part: Double) async throws {
      let words = try await Self.patched { $0 = Array($0.prefix(Int(Double($0.count) * part))) }
      #expect(
        words == "Could not load \"x.so\": it is not a shared library: the file is cut short.")
    }

    @Test func `says what is in the place of a library`() async throws {
      try await TemporaryDirectory.with { folder in
        let text = try folder.write("text", to: "file")
        let missing = "Could not load \"x.so\": there is no such file."
        #expect(Self.failure(loading: folder.file("none.so")) == missing)
        #expect(Self.failure(loading: text + "/x.so") == missing)
        #expect(Self.failure(loading: "") == missing)
        #expect(Self.failure(loading: folder.path) == "Could not load \"x.so\": it is not a file.")
        #expect(Self.failure(loading: "/dev/null") == "Could not load \"x.so\": it is not a file.")
        let loop = folder.file("loop.so")
        try FileManager.default.createSymbolicLink(atPath: loop, withDestinationPath: loop)
        let words = "Could not load \"x.so\": it can't be read: Too many levels of symbolic links."
        #expect(Self.failure(loading: loop) == words)
      }
    }

    @Test func `refuses an executable`() throws {
      let path = try BuildProducts.executable("vmhost")
      let words =
        "Could not load \"x.so\": \(path): cannot dynamically load position-independent"
        + " executable."
      #expect(Self.failure(loading: path) == words)
    }

    // MARK: The table and the manifest

    /// Loads a fixture that has a fault, in this process and in one of its own.
    ///
    /// - Returns: what is said of it in both.
    private static func loadBroken(_ fault: String) async throws -> String {
      let (here, there) = (try await loadBrokenHere(fault), try await loadBrokenInWorker(fault))
      return here == there ? here : "\(here) In a worker: \(there)"
    }

    private static func loadBrokenInWorker(_ fault: String) async throws -> String {
      try await TemporaryDirectory.with { folder in
        let path = try FixtureLibrary.copy(of: "brokenfixture", choosing: fault, in: folder)
        let sandbox = try TestSession.sandbox
        do {
          _ = try RemotePlugin(path: path, name: "x.so", sandbox: sandbox)
          return "it loaded"
        } catch { return "\(error)" }
      }
    }

    private static func loadBrokenHere(_ fault: String) async throws -> String {
      try await TemporaryDirectory.with { folder in
        let path = folder.file("libbroken-\(fault).so")
        try FileManager.default.copyItem(
          atPath: try BuildProducts.library("brokenfixture"), toPath: path)
        return failure(loading: path)
      }
    }

    @Test(arguments: [
      ("no-table", "its vm_plugin_entry_v1 returned NULL instead of its table."),
      ("wrong-magic", "its table begins with 0x464c457f instead of 0x31504d56 (VM_PLUGIN_MAGIC)."),
      ("zero-size", "its table says that it has 0 bytes; the first 56 are required."),
      ("short-size", "its table says that it has 48 bytes; the first 56 are required."),
      (
        "other-major",
        "it speaks ABI 2, this host speaks 1. Rebuild it against PluginABI 1, or use a newer"
          + " vmhost."
      ),
      ("major-0", "it speaks ABI 0, this host speaks 1. Rebuild it against PluginABI 1."),
      ("null-manifest", "its table has NULL for \"manifest\"."),
      ("null-create", "its table has NULL for \"create\"."),
      ("null-send", "its table has NULL for \"send\"."),
      ("null-poll", "its table has NULL for \"poll\"."),
      ("null-destroy", "its table has NULL for \"destroy\"."),
    ])
    func `refuses a table that it can't call`(_ fault: String, _ words: String) async throws {
      #expect(try await Self.loadBroken(fault) == "Could not load \"x.so\": " + words)
    }

    @Test(arguments: [
      "sound", "larger-size", "larger-minor", "unknown-flags", "null-extension",
      "no-extension-field",
    ])
    func `accepts a table of another minor version`(_ fault: String) async throws {
      #expect(try await Self.loadBroken(fault) == "it loaded")
    }

    @Test(arguments: [
      ("empty", "it is empty"),
      ("null", "its bytes are NULL or more than 16 MiB"),
      ("too-large", "its bytes are NULL or more than 16 MiB"),
      ("not-json", "it is not JSON: expected a value, found \"b\" (byte 6)"),
      (
        "not-utf8",
        "it is not JSON: expected UTF-8, found byte 0xFF that begins no valid"
          + " sequence (byte 7)"
      ),
      ("array", "expected an object"),
      ("no-id", "id: expected text"),
      (
        "bad-id",
        "id: \"a..b\" is not an id (letters, digits, _ and -, in parts joined by dots, each"
          + " beginning with a letter or _)"
      ),
      ("no-version", "version: expected text"),
      ("no-view-models", "viewModels: expected at least one"),
      ("view-models-object", "viewModels: expected an array"),
      ("same-view-models", "\"a\" appears twice as view model"),
      (
        "bad-view-model",
        "viewModels[1].id: \"1st\" is not an id (letters, digits, _ and -, in parts joined by"
          + " dots, each beginning with a letter or _)"
      ),
      ("same-inputs", "\"a\" appears twice as input of broken"),
      ("same-outputs", "\"a\" appears twice as output of broken"),
      (
        "bad-schema",
        "viewModels[0].inputs[0].schema.type: expected one of \"string\", \"number\", \"integer\","
          + " \"boolean\", \"array\", \"object\", \"null\", or an array of them, found \"strin\""
      ),
      (
        "bad-port",
        "viewModels[0].inputs[0].name: \"did.search\" is not a name (letters, digits, _ and -,"
          + " beginning with a letter or _)"
      ),
      ("nameless-port", "viewModels[0].signals[0].name: expected text"),
      (
        "state-without-schema",
        "viewModels[0].states[0]: a state has a value, so it needs a schema"
      ),
      (
        "bad-request", "viewModels[0].requests[1]: expected the name of an effect, such as \"http\""
      ),
      ("same-requests", "\"http\" appears twice as request of broken"),
    ])
    func `refuses a manifest and says where it is wrong`(
      _ fault: String, _ words: String
    ) async throws {
      let found = try await Self.loadBroken("manifest-" + fault)
      #expect(found == "Could not load \"x.so\": its manifest is wrong: \(words).")
    }
  }
}
