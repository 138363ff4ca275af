import Testing

@testable import HostCore

/// What of the backtracer's words is shown, and what is said where there are none.
@Suite struct BacktraceTextTests {
  private static let whole = [
    "", "*** Program crashed: Bad pointer dereference at 0x0000000000000008 ***", "",
    "Platform: x86_64 Linux (Debian GNU/Linux 12 (bookworm))", "",
    "Thread 0 \"exe\" crashed:", "",
    "  0 Parser.next(in vmhost:) + 133 in libsearch.so at /in/my sources/Parser.swift:29:53", "",
    "    28|   let text = \"0 in vmhost\"",
    "  * 29|   return text[index]   ",
    "      |               ^ in vmhost", "",
    "  1 closure #2 in Search.start(_:) + 12 in libsearch.so at /in/Search.swift:9:1",
    "  2 0x00007f6efebf4018 in libc.so.6", "",
    " 10 LocalPlugin.deliver(_:) + 1303 in vmhost at /in/LocalPlugin.swift:126:31", "",
    "    126|     let status = send()", "",
    " 11 static Main.main() + 4 in libsearch.so", "",
    "...", "", "Backtrace took 0.79s", "",
  ]

  @Test func `keeps the frames above the call into the plugin`() {
    let shown = BacktraceText.shortened(Self.whole[...], isOfHang: false, host: "vmhost")
    #expect(
      shown == [
        "*** Program crashed: Bad pointer dereference at 0x0000000000000008 ***", "",
        "  0 Parser.next(in vmhost:) + 133 in libsearch.so at /in/my sources/Parser.swift:29:53",
        "", "    28|   let text = \"0 in vmhost\"", "  * 29|   return text[index]",
        "      |               ^ in vmhost", "",
        "  1 closure #2 in Search.start(_:) + 12 in libsearch.so at /in/Search.swift:9:1",
        "  2 0x00007f6efebf4018 in libc.so.6",
      ])
  }

  @Test func `has no headline for a hang, which is no crash`() {
    let shown = BacktraceText.shortened(Self.whole[...], isOfHang: true, host: "vmhost")
    #expect(shown.first?.hasPrefix("  0 Parser.next") == true)
  }

  @Test func `keeps all frames where the innermost is the host's`() {
    let shown = BacktraceText.shortened(Self.whole[16...], isOfHang: false, host: "vmhost")
    #expect(
      shown == [
        " 10 LocalPlugin.deliver(_:) + 1303 in vmhost at /in/LocalPlugin.swift:126:31", "",
        "    126|     let status = send()", "",
        " 11 static Main.main() + 4 in libsearch.so", "", "...",
      ])
  }

  @Test func `keeps what has no frames`() {
    let gaps = ["", "a", "", "", "b", ""]
    #expect(BacktraceText.shortened(gaps[...], isOfHang: true, host: "x") == ["a", "", "b"])
    #expect(BacktraceText.shortened([], isOfHang: false, host: "x") == [])
  }

  @Test func `switches the backtracer on in a worker's environment`() throws {
    let base = ConfinedProcess.Command.fixedEnvironment()
    let plain = try Backtracer(
      settings: nil, root: nil, beside: "/nowhere", interruptsHangs: false)
    let settings = plain.environment(base).filter { $0.hasPrefix("SWIFT_BACKTRACE=enable=yes,") }
    #expect(settings.count == 1)
    #expect(plain.environment(base).count == base.count)
    #expect(!plain.environment(base).contains { $0.contains("swift-backtrace=") })
    let named = try Backtracer(
      settings: "color=yes,swift-backtrace=/proc/self/exe", root: "/usr", beside: "/nowhere",
      interruptsHangs: false)
    #expect(named.environment(base).contains("SWIFT_ROOT=/usr"))
    let setting = try #require(named.environment(base).first { $0.hasPrefix("SWIFT_BACKTRACE=") })
    #expect(setting.hasSuffix(",swift-backtrace=/proc/self/exe"))
    #expect(!setting.contains("color=yes"))
  }

  @Test func `takes only a file for the backtracer`() {
    #expect(throws: BacktraceError.notInstalled("/usr")) {
      try Backtracer(
        settings: "swift-backtrace=/usr", root: nil, beside: "/", interruptsHangs: false)
    }
  }
}
