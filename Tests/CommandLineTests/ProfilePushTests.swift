import TestSupport
import Testing

/// What the web pushes into `account.profile`, as a program reads it.
struct ProfilePushTests {
  @Test func `the timed pushes lie at 0, 3 and 5 seconds exactly`() async throws {
    let values = [
      (0, "name", "name"), (0, "age", "age"), (0, "city", "city"), (0, "age", "0"),
      (0, "name", "Chris1"), (0, "age", "1"), (0, "city", "Shanghai1"),
      (3, "name", "Chris18"), (3, "age", "18"), (3, "city", "Shanghai18"),
      (5, "name", "Chris28"), (5, "age", "28"), (5, "city", "iloveShanghai28"),
    ]
    let outputs = values.map { time, name, value in
      "{\"kind\":\"output\",\"t\":\(time),\"instance\":\"profile\",\"name\":\"\(name)\","
        + "\"value\":\"\(value)\"}\n"
    }
    try await VMHostRun.expect(
      ["run", "account.so", "--view-model", "account.profile"] + Arguments.jsonl,
      .text("> bind\n> updateModelFromMockWeb\n+ 5s\n"),
      stdout: FirstFrame.session + "[\(VMHostRun.plugin("account"))]}\n" + outputs.joined()
        + "{\"kind\":\"end\",\"t\":5,\"status\":0}\n")
  }
}
