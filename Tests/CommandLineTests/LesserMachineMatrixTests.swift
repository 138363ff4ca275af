import Glibc
import HostCore
import TestSupport
import Testing

/// Hostile acts in two phases of a plugin's life, on machines that refuse layers, in every
/// mode, with the exact outcome.
@Suite(.enabled(if: LesserMachine.isSimulated)) struct LesserMachineMatrixTests {
  /// A layer that keeps a plugin from an act, and what the plugin is told.
  private struct Obstacle {
    let layer: ConfinementLayer
    let words: String

    init(_ layer: ConfinementLayer, _ words: String) {
      self.layer = layer
      self.words = words
    }
  }

  private enum Target {
    case none, file, newPath
    case fixed(String)
  }

  /// What a hostile plugin does, and what keeps it from that. The first layer in the list that is
  /// on decides what it is told.
  private struct Act {
    let name: String
    var target = Target.none
    let loading: [Obstacle]
    let running: [Obstacle]

    /// What the plugin is told where these layers are on.
    func outcome(_ layers: Set<ConfinementLayer>, isLoading: Bool) -> String {
      (isLoading ? loading : running).first { layers.contains($0.layer) }?.words ?? "done"
    }
  }

  private static let denied = "Permission denied"
  private static let notPermitted = "Operation not permitted"
  private static let tooMany = "Too many open files"
  private static let noMemory = "Cannot allocate memory"

  /// Only the filters keep a plugin from it.
  private static func filtered(_ name: String) -> Act {
    Act(
      name: name, loading: [.init(.seccompLoad, notPermitted)],
      running: [.init(.seccompRun, notPermitted), .init(.seccompLoad, notPermitted)])
  }

  private static let acts: [Act] = [
    Act(
      name: "read-file", target: .fixed("/etc/passwd"), loading: [.init(.landlock, denied)],
      running: [
        .init(.seccompRun, denied), .init(.limits, tooMany), .init(.landlock, denied),
      ]),
    Act(
      name: "write-file", target: .file,
      loading: [.init(.seccompLoad, denied), .init(.landlock, denied)],
      running: [
        .init(.seccompRun, denied), .init(.seccompLoad, denied), .init(.limits, tooMany),
        .init(.landlock, denied),
      ]),
    Act(
      name: "make-folder", target: .newPath,
      loading: [.init(.seccompLoad, denied), .init(.landlock, denied)],
      running: [
        .init(.seccompRun, denied), .init(.seccompLoad, denied), .init(.landlock, denied),
      ]),
    Act(
      name: "signal-host",
      loading: [.init(.seccompLoad, notPermitted), .init(.landlock, notPermitted)],
      running: [
        .init(.seccompRun, notPermitted), .init(.seccompLoad, notPermitted),
        .init(.landlock, notPermitted),
      ]),
    Act(
      name: "make-memory-file", loading: [.init(.seccompLoad, notPermitted)],
      running: [
        .init(.seccompRun, notPermitted), .init(.seccompLoad, notPermitted),
        .init(.limits, tooMany),
      ]),
    filtered("hide"), filtered("change-priority"),
    Act(
      name: "allocate", target: .fixed("1024"), loading: [.init(.limits, noMemory)],
      running: [.init(.limits, noMemory)]),
    Act(name: "make-data-executable", loading: [], running: [.init(.seccompRun, notPermitted)]),
  ]

  @Test(arguments: LesserMachine.single + [.container, .bare], SandboxMode.allCases)
  func `a hostile plugin can do what no layer keeps it from, and nothing else`(
    _ machine: LesserMachine, _ mode: SandboxMode
  ) async throws {
    let layers = mode.layers.subtracting(machine.missing)
    try await TemporaryDirectory.with { folder in
      for act in Self.acts {
        for isLoading in [true, false] {
          let target = try aim(act.target, in: folder)
          let words = act.name + target
          let library =
            isLoading
            ? try FixtureLibrary.copy(of: "hostilefixture", choosing: "load:\(words)", in: folder)
            : "hostilefixture.so"
          let config = isLoading ? [] : ["--config", "{\"act\":\"send:\(words)\"}"]
          let output = try await machine.output(
            ["run", library, "--sandbox", mode.rawValue] + config + Arguments.text,
            .text("> go\n"))
          let said = output.lines.compactMap { line in
            line.split(separator: " printed: \(act.name): ").last.flatMap {
              line.contains(" printed: \(act.name): ") ? String($0) : nil
            }
          }
          let place = "\(act.name), loading: \(isLoading)"
          guard machine.accepts(mode) else {
            #expect(said == [] && output.status == .exited(3), "\(place): \(output.stderr)")
            continue
          }
          let expected = act.outcome(layers, isLoading: isLoading)
          #expect(said == [expected], "\(place)")
          #expect(output.status == .success, "\(place): \(output.stderr)")
        }
      }
    }
  }

  private func aim(_ target: Target, in folder: TemporaryDirectory) throws -> String {
    switch target {
    case .none: return ""
    case .fixed(let text): return ":\(text)"
    case .newPath: return ":\(folder.path)/\(UInt64.random(in: 0 ... .max))"
    case .file: return ":\(try folder.write("", to: "target"))"
    }
  }
}
