import TestSupport
import Testing

/// Foundation's types as values of ports, through the built `libvaluesfixture.so`.
struct FoundationValueTests {
  private static let start = "< total 0\n< limit 10\n"
  private static let run = ["run", "valuesfixture.so"] + Arguments.text

  /// Inputs, and what they show. What `expected` has is JSONEncoder's.
  static let accepted: [(String, String)] = [
    ("> decimal 19.99", "< total 19.99\n< expected \"19.99\"\n"),
    ("> decimal -1e3", "< total -1000\n< expected \"-1000\"\n"),
    (
      "> decimal 12345678901234567890123456789012345678",
      "< total 12345678901234567890123456789012345678\n"
        + "< expected \"12345678901234567890123456789012345678\"\n"
    ),
    ("> tap", "< total -12345678901234567890123456789012345678\n"),
    (
      "> url \"https://example.org/a?b=c#d\"",
      "< link \"https://example.org/a?b=c#d\"\n"
        + "< expected \"\\\"https://example.org/a?b=c#d\\\"\"\n"
    ),
    ("> data \"AQL/\"", "< bytes \"AQL/\"\n< expected \"\\\"AQL/\\\"\"\n"),
    ("> data \"\"", "< bytes \"\"\n< expected \"\\\"\\\"\"\n"),
    ("> date 757382400.5", "< day 757382400.5\n< expected \"757382400.5\"\n"),
    ("> date -1", "< day -1\n< expected \"-1\"\n"),
    (
      "> uuid \"e997476c-e680-4187-acbd-24f73cef9425\"",
      "< key \"E997476C-E680-4187-ACBD-24F73CEF9425\"\n"
        + "< expected \"\\\"E997476C-E680-4187-ACBD-24F73CEF9425\\\"\"\n"
    ),
    (
      #"> order {"days":{"a":0},"id":"E997476C-E680-4187-ACBD-24F73CEF9425","#
        + #""images":["AQL/",""],"link":"https://a.org","total":0.1}"#,
      """
      < placed {
          "days": {
            "a": 0
          },
          "id": "E997476C-E680-4187-ACBD-24F73CEF9425",
          "images": ["AQL/", ""],
          "link": "https://a.org",
          "total": 0.1
        }

      """
        + #"< expected "{\"days\":{\"a\":0},\"id\":\"E997476C-E680-4187-ACBD-24F73CEF9425\","#
        + #"\"images\":[\"AQL/\",\"\"],\"link\":\"https://a.org\",\"total\":0.1}""# + "\n"
    ),
    (
      #"> counts ["E997476C-E680-4187-ACBD-24F73CEF9425",1]"#,
      #"< counted ["E997476C-E680-4187-ACBD-24F73CEF9425",1]"# + "\n"
        + #"< expected "[\"E997476C-E680-4187-ACBD-24F73CEF9425\",1]""# + "\n"
    ),
    (
      #"> delivery {"on":{"_0":2}}"#,
      #"< delivered {"on":{"_0":2}}"# + "\n" + #"< expected "{\"on\":{\"_0\":2}}""# + "\n"
    ),
    ("> save 12.5\n+ idle", "< total 12.5\n"),
  ]

  @Test(arguments: accepted)
  func `has the JSON that JSONEncoder writes`(line: String, shown: String) async throws {
    try await VMHostRun.expect(Self.run, .text(line + "\n"), stdout: Self.start + shown)
  }

  @Test func `a fraction has the digits of a Double`() async throws {
    try await VMHostRun.expect(
      Self.run, .text("> decimal 0.1234567890123456789\n"),
      stdout: Self.start + "< total 0.12345678901234568\n< expected \"0.12345678901234568\"\n")
  }

  /// Values that the schema lets through or not, and what is said.
  static let refused: [(String, String)] = [
    (
      "decimal \"x\"", "echo can't take this value for \"decimal\": expected a number, found \"x\"."
    ),
    (
      "url \"\"",
      "echo refused \"url\": The input \"url\" can't take this value: "
        + "expected the text of a URL, found \"\"."
    ),
    (
      "data \"A\"",
      "echo refused \"data\": The input \"data\" can't take this value: "
        + "expected text in Base64, found \"A\"."
    ),
    ("date \"now\"", "echo can't take this value for \"date\": expected a number, found \"now\"."),
    (
      "uuid \"x\"",
      "echo refused \"uuid\": The input \"uuid\" can't take this value: "
        + "expected the text of a UUID, found \"x\"."
    ),
    (
      "counts [\"x\",1]",
      "echo refused \"counts\": The input \"counts\" can't take this value: "
        + "[0]: expected the text of a UUID, found \"x\"."
    ),
    (
      "delivery {\"on\":{\"_0\":\"x\"}}",
      "echo refused \"delivery\": The input \"delivery\" can't take this value: "
        + "on._0: expected a number of seconds since 2001, found \"x\"."
    ),
  ]

  @Test(arguments: refused)
  func `refuses what isn't of the type`(value: String, message: String) async throws {
    try await VMHostRun.expect(
      Self.run, .text("> \(value)\n"), stdout: Self.start,
      stderr: "vmhost: <stdin>:1: \(message)\n", status: 2)
  }

  @Test func `has schemas`() async throws {
    let output = try await VMHostRun.output(["describe", "valuesfixture.so"])
    let order =
      #"{"days":{string:number},"id":string,"images":[string],"link"?:string|null,"total":number}"#
    #expect(
      output.stdout.split(separator: "\n").dropFirst(2).joined(separator: "\n") == """
        values.echo
          inputs
            decimal   number
            url       string
            data      string
            date      number
            uuid      string
            order     \(order)
            counts    any
            delivery  any
            tap       –
            save      number
          states
            total  number  first 0
            limit  number  first 0
          signals
            link       string
            bytes      string
            day        number
            key        string
            placed     \(order)
            counted    any
            delivered  any
            expected   string
          requests  storage.get, storage.set, storage.delete, storage.list
          config    {"limit":10}
        """)
  }

  @Test func `a config may have them`() async throws {
    try await VMHostRun.expect(
      Self.run + ["--config", #"{"home":"https://a.org","limit":12345678901234567890123}"#],
      stdout: "< total 0\n< limit 12345678901234567890123\n")
    try await VMHostRun.expect(
      Self.run + ["--config", #"{"home":""}"#],
      stderr: "vmhost: values.echo would not open: The config can't be used: "
        + "home: expected the text of a URL, found \"\".\n", status: 2)
  }
}
