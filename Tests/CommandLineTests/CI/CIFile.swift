import TestSupport

/// The shell steps of a file for a CI engine. Reads only YAML of the shape that our files have.
struct CIFile {
  enum Engine: String, CaseIterable { case github, gitlab }

  let engine: Engine
  let text: String
  /// The shell steps of each job.
  private(set) var jobs: [String: [String]] = [:]

  /// Reads our example for this engine.
  init(_ engine: Engine) throws {
    try self.init(engine, Repository.text("Examples/ci/\(engine).yml"))
  }

  init(_ engine: Engine, _ text: String) throws {
    self.engine = engine
    self.text = text
    var lines = text.split(separator: "\n", omittingEmptySubsequences: false)[...]
    var job = ""
    var isScript = engine == .github
    while let line = lines.popFirst() {
      let depth = Self.depth(line)
      if depth == (engine == .github ? 2 : 0), line.hasSuffix(":") {
        job = line.dropFirst(depth).dropLast().description
      } else if engine == .gitlab, depth == 2 {
        isScript = line == "  script:" || line == "  before_script:"
      } else if isScript, let step = line.firstMatch(of: step) {
        let shell = step.1 == "|" ? Self.block(&lines, depth) : String(step.1)
        jobs[job, default: []].append(shell)
      }
    }
  }

  private var step: Regex<(Substring, Substring)> {
    engine == .github ? /^ +(?:- )?run: (.*)$/ : /^ {4}- (.*)$/
  }

  /// Takes the lines that are deeper than the line before them, without their indentation.
  private static func block(_ lines: inout ArraySlice<Substring>, _ depth: Int) -> String {
    let block = lines.prefix { Self.depth($0) > depth }
    lines = lines.dropFirst(block.count)
    return block.map { $0.dropFirst(Self.depth(block.first ?? "")) }.joined(separator: "\n")
  }

  private static func depth(_ line: Substring) -> Int { line.prefix { $0 == " " }.count }

  /// The scripts that the engine's shells run for this job, in order.
  func scripts(of job: String) -> [String] {
    switch engine {
    case .github: jobs[job] ?? []
    // One shell for all of them.
    case .gitlab: [((jobs[".vmhost"] ?? []) + (jobs[job] ?? [])).joined(separator: "\n")]
    }
  }

  /// How the engine starts a shell for a script.
  var shell: [String] {
    switch engine {
    case .github: ["bash", "-e", "-c"]
    case .gitlab: ["bash", "-e", "-o", "pipefail", "-c"]
    }
  }
}
