import Basics
import CanonicalJSON

extension PluginManifest {
  /// What in the manifest has no effect, such as misspelt members: a sentence each, with its path.
  ///
  /// It isn't read with the manifest, since hardly anybody asks for it.
  package func notes() -> [String] {
    var notes: [String] = []
    let root = ManifestReader(value: json, path: "")
    root.noteUnknown(known: ["id", "version", "viewModels"], &notes)
    root.each("viewModels") { viewModel in
      viewModel.noteUnknown(
        known: ["id", "config", "inputs", "states", "signals", "requests"], &notes)
      let config = viewModel.member("config")
      config.noteUnknown(known: ["schema", "default"], &notes)
      config.noteSchema(&notes)
      for (member, further) in [
        ("inputs", []), ("states", ["first", "distinct"]), ("signals", []),
      ] {
        viewModel.each(member) { port in
          port.noteUnknown(known: ["name", "schema"] + further, &notes)
          port.noteSchema(&notes)
        }
      }
    }
    return notes
  }
}

extension ManifestReader {
  fileprivate func each(_ member: String, _ body: (ManifestReader) -> Void) {
    for (index, element) in (value[member]?.arrayValue ?? []).enumerated() {
      body(ManifestReader(value: element, path: "\(path(of: member))[\(index)]"))
    }
  }

  fileprivate func noteUnknown(known: [String], _ notes: inout [String]) {
    for name in (value.objectValue ?? [:]).keys.sorted() where !known.contains(name) {
      notes.append(
        "\(path(of: name)): this member is unknown." + NearestName.hint(for: name, among: known))
    }
  }

  fileprivate func noteSchema(_ notes: inout [String]) {
    var found: [String] = []
    // The schema was compiled before, when the manifest was read, so it isn't malformed.
    _ = try? validator { found.append("\($0): \($1)") }
    notes += found
  }
}
