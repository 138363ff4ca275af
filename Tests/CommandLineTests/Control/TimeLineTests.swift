import CanonicalJSON
import TestSupport
import Testing

/// `time` lines: a front end stops the clock, starts it, and goes to the next timer.
struct TimeLineTests {
  private static let kit = ["run", "kitfixture.so", "--view-model", "kit.ticker=kit"]
  private static let start = #"{"name":"start"}"#
  private static let toTimer = #"{"kind":"time","to":"timer"}"#

  @Test func `a paused session passes time only with lines`() async throws {
    let lines = try await ControlRun.lines(
      Self.kit + Arguments.jsonl,
      [
        #"{"kind":"time","seq":1}"#, Self.start, #"{"kind":"time","seq":2}"#,
        #"{"kind":"time","to":"timer","seq":3}"#, #"{"kind":"advance","by":"300ms"}"#,
        #"{"kind":"time","mode":"paused","seq":4}"#, Self.toTimer,
      ])
    #expect(
      ControlRun.texts(lines, of: "time", "output", "done") == [
        #"{"kind":"time","mode":"paused","seq":1,"t":0,"timers":0}"#,
        #"{"kind":"done","seq":1,"step":1,"t":0}"#,
        #"{"kind":"time","mode":"paused","next":1,"seq":2,"t":0,"timers":1}"#,
        #"{"kind":"done","seq":2,"step":2,"t":0}"#,
        #"{"instance":"kit","kind":"output","name":"ticked","t":1,"value":1}"#,
        #"{"kind":"time","mode":"paused","next":2,"seq":3,"t":1,"timers":1}"#,
        #"{"kind":"done","seq":3,"step":3,"t":1}"#,
        #"{"kind":"time","mode":"paused","next":2,"seq":4,"t":1.3,"timers":1}"#,
        #"{"kind":"done","seq":4,"step":3,"t":1.3}"#,
        #"{"instance":"kit","kind":"output","name":"ticked","t":2,"value":2}"#,
        #"{"kind":"time","mode":"paused","next":3,"t":2,"timers":1}"#,
      ])
  }

  @Test func `time goes on from where it is when the clock stops and starts`() async throws {
    try await TemporaryDirectory.with { directory in
      let lines = try await ControlRun.lines(
        Self.kit + ["--clock", "live", "--format", "jsonl"],
        [
          #"{"kind":"time","mode":"paused"}"#, Self.start,
          // Far ahead of the real clock, and back on it.
          #"{"kind":"advance","by":"1h"}"#, #"{"kind":"time","mode":"live"}"#, Self.toTimer,
          #"{"kind":"time","mode":"paused"}"#, #"{"kind":"advance","by":"500ms"}"#,
          #"{"kind":"time","mode":"live"}"#, #"{"kind":"advance","by":"600ms"}"#,
          #"{"kind":"time"}"#, #"{"kind":"time","mode":"paused"}"#, #"{"kind":"save"}"#,
        ])
      let times = lines.compactMap { $0["t"]?.doubleValue }
      #expect(zip(times, times.dropFirst()).allSatisfy { $0 <= $1 })
      let ticks = lines.filter { $0["name"]?.stringValue == "ticked" }.compactMap {
        $0["t"]?.doubleValue
      }
      // What passed before the first line, while the plugin was loaded, makes no difference.
      let first = try #require(ticks.first)
      #expect(ticks.indices.allSatisfy { abs(ticks[$0] - first - Double($0)) < 0.0001 })
      #expect(ticks.count >= 3602)
      #expect((times.last ?? 0) - first >= 3601.1)
      // Each line takes some time, too, but nothing like the hour that was skipped.
      #expect((times.last ?? 0) - first < 3660)
      #expect(
        lines.filter { $0["kind"] == "time" }.map { $0["mode"]?.stringValue }
          == ["paused", "live", "live", "paused", "live", "live", "paused"])
      let texts = lines.compactMap { $0["text"]?.stringValue }
      let text = try #require(texts.first)
      try await ControlRun.test(text, in: directory)
    }
  }

  @Test func `a recording of it replays`() async throws {
    try await TemporaryDirectory.with { directory in
      let file = directory.file("a.vmt")
      _ = try await ControlRun.lines(
        Self.kit + ["--clock", "live", "--record", file],
        [
          #"{"kind":"time","mode":"paused"}"#, Self.start, Self.toTimer,
          #"{"kind":"time","mode":"live"}"#, #"{"kind":"advance","by":"1100ms"}"#,
          #"{"kind":"time","mode":"paused"}"#, Self.toTimer, Self.toTimer,
        ])
      let output = try await VMHostRun.output(["test", file])
      #expect(output.status == .success, "\(output.stdout)")
    }
  }

  @Test func `the end of time is no end of the session`() async throws {
    let lines = try await ControlRun.lines(
      ["run", "echo.so"] + Arguments.jsonl,
      [
        #"{"kind":"advance","by":"9223372036s"}"#, #"{"kind":"advance","by":"9223372036s"}"#,
        #"{"kind":"time","mode":"live"}"#, #"{"kind":"advance","by":"1ms"}"#,
        #"{"name":"say","value":1}"#,
      ])
    #expect(ControlRun.texts(lines, of: "output").count == 1)
  }

  @Test func `says why it can't, and people read how time passes`() async throws {
    let lines = try await ControlRun.lines(
      ["run", "echo.so"] + Arguments.jsonl, [#"{"kind":"time","to":"timer","seq":1}"#])
    #expect(ControlRun.refusals(lines) == ["unsupported: no timer runs."])
    try await VMHostRun.expect(
      Arguments.kit("ticker"), .text("> start\n{\"kind\":\"time\"}\n+ 1ms\n@close ticker\n"),
      stdout: "# time 0s, paused, 1 timer, the next at 1s\n")
  }
}
