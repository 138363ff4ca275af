import Testing

@testable import HostCore

extension TestSession {
  /// A session with a flow of these signals, and one instance of `broken`, which is called `a`.
  ///
  /// - Parameter libraries: one or two.
  static func flowing(
    _ libraries: [String] = ["brokenfixture", "echo"], secrets: Secrets = Secrets(),
    in place: Place = .here, config: String? = nil, flow on: String
  ) throws -> TestSession {
    let test =
      libraries.count == 2
      ? try TestSession(libraries[0], libraries[1], in: place, secrets: secrets)
      : try TestSession(libraries[0], in: place, secrets: secrets)
    let text = "{\"start\":{\"open\":\"broken\",\"as\":\"a\"},\"on\":{\(on)}}"
    let flow = try FlowRules(FlowDocument(Array(text.utf8), path: "f.json"), test.session.manifests)
    try test.session.use(flow)
    try test.open("broken", as: "a", config: config)
    return test
  }
}
