import TestSupport
import Testing

@testable import HostCore

struct StepMonitorTests {
  private static func manifest() throws -> ViewModelManifest {
    let json = """
      {"id":"p","version":"1","viewModels":[{"id":"movies.list","inputs":[{"name":"didSearch"}]}]}
      """
    return try #require(try PluginManifest(json: Array(json.utf8)).viewModel("movies.list"))
  }

  @Test(
    arguments: [
      (0, 0, -1), (0, 1, 0), (1, 1, 65_534), (16_777_214, 3, 7), (42, 2, -1),
    ] as [(Int32, UInt8, Int32)])
  func `a step comes out as it went in`(_ instance: Int32, _ kind: UInt8, _ port: Int32) {
    let monitor = StepMonitor(plugin: "p.so")
    #expect(monitor.current == 0)
    monitor.begin(instance: instance, kind: kind, port: port)
    #expect(
      StepMonitor.step(of: monitor.current)
        == StepMonitor.Step(instance: instance, kind: kind, port: port))
    monitor.end()
    #expect(monitor.current == 0)
  }

  @Test func `two equal steps in a row are told apart, and none is taken for none`() {
    let monitor = StepMonitor(plugin: "p.so")
    var last: UInt64 = 0
    var differs = true
    for _ in 0..<70_000 {
      monitor.begin(instance: 0, kind: 1, port: 0)
      differs = differs && monitor.current != last && monitor.current != 0
      last = monitor.current
      monitor.end()
    }
    #expect(differs)
  }

  @Test func `a plugin that is being loaded is at a step`() throws {
    let monitor = StepMonitor(plugin: "echo.so")
    var loading: StepMonitor.Step?
    _ = try LocalPlugin(
      path: try BuildProducts.library("echo"), name: "echo.so", monitor: monitor,
      didLoad: {
        loading = StepMonitor.step(of: monitor.current)
        #expect(monitor.plugin == "echo.so")
      })
    #expect(loading.map(monitor.description) == "its loading")
    #expect(monitor.current == 0)
    #expect(monitor.plugin == "echo")
  }

  @Test func `a step is named in words`() throws {
    let monitor = StepMonitor(plugin: "p.so")
    monitor.register(3, try Self.manifest())
    func words(_ kind: UInt8, _ port: Int32, _ instance: Int32 = 3) -> String {
      monitor.description(of: StepMonitor.Step(instance: instance, kind: kind, port: port))
    }
    #expect(words(1, 0) == "the input \"didSearch\" of movies.list")
    #expect(words(1, 9) == "an input")
    #expect(words(0, -1) == "the opening of movies.list")
    #expect(words(2, -1) == "a reply to movies.list")
    #expect(words(3, -1) == "a reply to movies.list")
    #expect(words(1, 0, 4) == "a call")
    #expect(words(254, -1, -1) == "its loading")
    monitor.register(3, nil)
    #expect(words(1, 0) == "a call")
  }
}
