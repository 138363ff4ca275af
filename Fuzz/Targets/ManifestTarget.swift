import CanonicalJSON
import HostCore

/// The reader of manifests, on the bytes that a plugin gives as its own.
enum ManifestTarget {
  static func check(_ input: [UInt8]) throws(FuzzFinding) {
    guard let manifest = try? PluginManifest(json: input) else { return }
    try require(isIdentifier(manifest.id), "the id is well formed")
    try require(!manifest.version.isEmpty, "there is a version")
    try require(!manifest.viewModels.isEmpty, "there are view models")
    try checkUnique(manifest.viewModels.map(\.id), "view models")
    try require(manifest.notes().allSatisfy { !$0.isEmpty }, "a note has words")
    for viewModel in manifest.viewModels {
      try check(viewModel)
      try require(
        manifest.viewModel(viewModel.id)?.inputs.count == viewModel.inputs.count,
        "a view model is found by its id")
    }
    let canonical = Array(manifest.json.canonicalText.utf8)
    guard let again = try? PluginManifest(json: canonical) else {
      throw FuzzFinding("a manifest in canonical form is a manifest")
    }
    try require(again.json == manifest.json, "the canonical form has the same value")
    try require(description(again) == description(manifest), "the canonical form says the same")
  }

  private static func check(_ viewModel: ViewModelManifest) throws(FuzzFinding) {
    try require(isIdentifier(viewModel.id), "ids are well formed")
    try require(isName(viewModel.defaultHandle.utf8[...]), "the handle is a name")
    try checkUnique(viewModel.inputs.map(\.name), "inputs")
    try checkUnique(viewModel.outputs.map(\.name), "outputs")
    try checkUnique(viewModel.requests, "requests")
    try require(viewModel.requests.allSatisfy(isIdentifier), "requests are well formed")
    try require(
      viewModel.states.allSatisfy { $0.role == .state && $0.hasValue }, "states have values")
    try require(
      viewModel.signals.allSatisfy { $0.role == .signal }
        && viewModel.inputs.allSatisfy { $0.role == .input }, "ports have the role of their list")
    for port in viewModel.inputs + viewModel.outputs {
      try checkValidator(of: port)
      try require(isName(port.name.utf8[...]), "port names are well formed")
      try require(port.nameBytes == Array(port.name.utf8), "a name's bytes are the name's")
    }
  }

  /// The ways to check a value agree.
  private static func checkValidator(of port: ViewModelManifest.Port) throws(FuzzFinding) {
    guard let validator = port.validator, let first = port.first else { return }
    let json = Array(first.canonicalText.utf8)
    let fits = validator.accepts(json.span)
    try require(validator.accepts(canonical: json.span) == fits, "a fast check is as strict")
    // A value of a manifest is JSON, so this doesn't throw.
    let mismatch = try? validator.mismatch(of: json.span)
    try require((mismatch == nil) == fits, "what doesn't fit has a reason")
    try require(mismatch?.description.isEmpty != true, "a reason has words")
  }

  /// The rule for names, said a second time, so that a mistake in the reader shows.
  private static func isName(_ name: Substring.UTF8View) -> Bool {
    let letters = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_".utf8)
    guard let first = name.first, letters.contains(first) else { return false }
    return name.allSatisfy { letters.contains($0) || "0123456789-".utf8.contains($0) }
  }

  private static func isIdentifier(_ text: String) -> Bool {
    text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
      .allSatisfy { isName($0) }
  }

  private static func checkUnique(_ names: [String], _ what: String) throws(FuzzFinding) {
    try require(Set(names).count == names.count, "no two \(what) have one name")
  }

  private static func text(_ json: JSONValue?) -> String { json?.canonicalText ?? "none" }

  private static func description(_ manifest: PluginManifest) -> [String] {
    var words = [manifest.id, manifest.version]
    for viewModel in manifest.viewModels {
      words += [viewModel.id, "\(viewModel.stateCount)"] + viewModel.requests
      words += [viewModel.configSchema, viewModel.configDefault].map(text)
      for port in viewModel.inputs + viewModel.outputs {
        words += [port.role.rawValue, port.name, text(port.schema), text(port.first)]
      }
    }
    return words
  }
}
