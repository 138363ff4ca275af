import Glibc
import HostCore

/// The readers of libraries, on a file that the host looks at before a worker loads it.
enum LibraryTarget {
  static func check(_ input: [UInt8]) throws(FuzzFinding) {
    let folder = try TemporaryFolder()
    do throws(SystemError) {
      // Libraries that need "libneeded.so" find themselves again.
      for name in ["lib.so", "libneeded.so"] {
        try Files.replace("\(folder.path)/\(name)", with: input.span)
      }
    } catch { throw FuzzFinding("the file can't be written: \(error)") }
    let path = "\(folder.path)/lib.so"
    var isLibrary = true
    do throws(PluginLoadError) { try LibraryFile.check(path, named: "lib.so") } catch {
      isLibrary = false
      let text = error.description
      try require(text.hasPrefix("Could not load \"lib.so\": "), "an error names the library")
      try require(!text.contains("\n"), "an error is one line")
    }
    let needs = LibraryNeeds(of: path, searchPath: [folder.path, "/"])
    try require(
      LibraryNeeds(of: path, searchPath: [folder.path, "/"]) == needs, "reading again is the same")
    _ = LibraryNeeds(of: path, searchPath: [folder.path, "/"], isExact: true)
    try require(Set(needs.files).count == needs.files.count, "no library is needed twice")
    for file in needs.files {
      let isAbsolute = (try? Files.absolute(file)) == file
      try require(isAbsolute, "\(file) is absolute, and no link")
      let isRead = (try? LibraryFile.check(file, named: file)) != nil
      try require(isRead, "\(file) is a library")
      try require(
        file.hasPrefix(folder.path) == false || isLibrary, "what was refused isn't needed either")
    }
    try require(
      LibraryNeeds(of: path, isReadable: { _ in true }).files.isEmpty,
      "what a worker may read anyway isn't listed")
  }
}

/// A folder that is removed with this object.
private struct TemporaryFolder: ~Copyable {
  let path: String

  init() throws(FuzzFinding) {
    let parent = Environment.value("TMPDIR") ?? "/tmp"
    var template = Array("\(parent)/vmhost-library.XXXXXX".utf8CString)
    guard unsafe mkdtemp(&template) != nil else {
      throw FuzzFinding("there can be no folder in \(parent)")
    }
    path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  deinit {
    // What a failed check left behind is in the folder of temporary files.
    for name in ["lib.so", "libneeded.so"] { unsafe unlink("\(path)/\(name)") }
    unsafe rmdir(path)
  }
}
