import HostCore
import TestSupport
import Testing

struct PluginLocatorTests {
  @Test func `looks in the script's folder, those given, the variable's and vmhost's`()
    async throws
  {
    try await TemporaryDirectory.with { folder in
      let places = ["script", "given1", "given2", "variable1", "variable2", "vmhost"]
      let locator = PluginLocator(
        script: folder.file("script"), given: [folder.file("given1"), folder.file("given2")],
        variable: folder.file("variable1") + "::" + folder.file("variable2"),
        executable: folder.file("vmhost"))
      // From the last to the first: each new one is found before those that are there.
      for place in places.reversed() {
        let library = try folder.write("", to: place + "/libfound.so")
        #expect(try locator.path(of: "found.so") == library)
        let plain = try folder.write("", to: place + "/found.so")
        #expect(try locator.path(of: "found.so") == plain)
      }
      #expect(try locator.path(of: "libfound.so") == folder.file("script/libfound.so"))
      #expect(
        words { _ = try locator.path(of: "none.so") } == "Could not load \"none.so\": not found."
          + " Looked for ./none.so, ./libnone.so, "
          + places.flatMap { place in
            ["none.so", "libnone.so"].map { folder.file("\(place)/\($0)") }
          }.joined(separator: ", ") + ".")
    }
  }

  @Test func `a name with a slash is a path`() async throws {
    try await TemporaryDirectory.with { folder in
      let path = try folder.write("", to: "given/found.so")
      let library = try folder.write("", to: "given/liblibrary.so")
      let locator = PluginLocator(
        script: nil, given: [folder.path], variable: nil, executable: nil)
      #expect(try locator.path(of: path) == path)
      #expect(try locator.path(of: folder.file("given/library.so")) == library)
      #expect(
        words { _ = try locator.path(of: "given/found.so") }
          == "Could not load \"given/found.so\": there is no such file.")
    }
  }

  @Test(arguments: [
    ("found", "found.so"), ("fond.so", "found.so"), ("libfound", "libfound.so"),
    ("Found.so", "found.so"), ("plain", "plain.so"), ("fou", "found.so"),
    ("other.so", nil), ("notes", nil),
  ])
  func `suggests a plugin that is there`(_ name: String, _ suggested: String?) async throws {
    try await TemporaryDirectory.with { folder in
      for file in ["libfound.so", "plain.so", "notes.txt"] { try folder.write("", to: file) }
      let locator = PluginLocator(
        script: nil, given: [folder.path], variable: nil, executable: nil)
      let hint = { (folder: String) in
        suggested.map { " Did you mean \"\(folder)\($0)\"?" } ?? ""
      }
      #expect(
        words { _ = try locator.path(of: name) } == "Could not load \"\(name)\": not found."
          + "\(hint("")) Looked for ./\(name), ./lib\(name), \(folder.file(name)),"
          + " \(folder.file("lib\(name)")).")
      #expect(
        words { _ = try locator.path(of: folder.file(name)) }
          == "Could not load \"\(folder.file(name))\": there is no such file."
          + hint("\(folder.path)/"))
    }
  }

  @Test func `a folder is no plugin`() async throws {
    try await TemporaryDirectory.with { folder in
      try folder.write("", to: "first/found.so/inside")
      let found = try folder.write("", to: "second/libfound.so")
      let locator = PluginLocator(
        script: nil, given: [folder.file("first"), folder.file("second")], variable: nil,
        executable: nil)
      #expect(try locator.path(of: "found.so") == found)
    }
  }

  @Test(arguments: ["", "a\0b", "\0"])
  func `a name that no file has is not found`(_ name: String) {
    let locator = PluginLocator(script: nil, given: [], variable: nil, executable: nil)
    #expect(throws: PluginLoadError.self) { try locator.path(of: name) }
  }
}
