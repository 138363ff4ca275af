import TestSupport
import Testing

/// Values that the account plugin can't use, and what people are told about them. A transcript has
/// no line for these.
struct AccountRefusalTests {
  private static func run(_ viewModel: String, _ more: [String] = []) -> [String] {
    ["run", "account.so", "--view-model", viewModel] + more + Arguments.text
  }

  private static let decimal =
    #"expected a decimal number such as "6729383.99", with at most 36 digits before the point, "#

  /// Who refuses a config: the plugin, or its schema before it.
  private static let plugin = "would not open: The config can't be used: balance: "
  private static let schema = "can't take this config: balance: "

  @Test(
    arguments: [
      (#""abc""#, plugin + decimal + #"found "abc""#),
      (#""""#, plugin + decimal + #"found """#),
      ("5", schema + "expected a string, found 5"),
      ("null", schema + "expected a string, found null"),
    ])
  func `a balance that is no decimal number is refused`(balance: String, why: String) async throws {
    try await VMHostRun.expect(
      Self.run("account.balance", ["--config", "{\"balance\":\(balance)}"]),
      stderr: """
        vmhost: account.balance \(why).

        """,
      status: 2)
  }

  @Test func `a switch of a cell that isn't there is refused`() async throws {
    let output = try await VMHostRun.output(
      Self.run("account.settings"), .text(#"> onSwitchToggleOn {"cell":"dark","on":true}"# + "\n"))
    #expect(!output.stdout.contains("message"))
    #expect(
      output.stderr.hasPrefix(
        "vmhost: <stdin>:1: settings can't take this value for \"onSwitchToggleOn\": cell: "))
    #expect(output.stderr.contains("dark"))
    #expect(output.status == .exited(2))
  }
}
