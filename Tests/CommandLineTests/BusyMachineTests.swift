import Foundation
import TestSupport
import Testing

/// What a plugin may take is its own time, and not that in which the machine did something else.
struct BusyMachineTests {
  @Test func `a plugin that waits for a processor doesn't hang`() async throws {
    // Eight loops and the session share one processor, so that 200 ms of work take much longer. The
    // kernel divides it among sessions first, so each loop has its own.
    let script = """
      processor=$(taskset -pc $$ | sed 's/.*: //; s/[,-].*//')
      taskset -pc "$processor" $$ >/dev/null
      loops=
      trap 'kill $loops' EXIT
      for _ in 1 2 3 4 5 6 7 8; do
        setsid sh -c 'while :; do :; done' &
        loops="$loops $!"
      done
      "$0" "$@"
      """
    try await TemporaryDirectory.with { folder in
      let inputs = try folder.write("> busy 200\n", to: "inputs.vmt")
      let output = try await ChildProcess.run(
        "/bin/sh",
        ["-c", script, try BuildProducts.executable("vmhost"), "run"]
          + [try BuildProducts.library("confinedfixture"), "--view-model", "confined.slow"]
          + ["--script", inputs, "--step-timeout", "600ms", "--format", "text"])
      #expect(output.status == .success, "\(output.stderr)")
      #expect(output.lines.last == "< done")
    }
  }
}
