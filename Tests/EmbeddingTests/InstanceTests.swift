import HostCore
import Testing

/// Frames, inputs and outputs of instances.
struct InstanceTests {
  private struct Point: Codable, Equatable {
    var x: Int
    var y: Int?
  }

  @Test func `an instance has its first frame when it is open`() async throws {
    let session = try await Fixture.session("kitfixture")
    let ports = try await session.open("kit.ports")
    #expect(ports.viewModel == "kit.ports")
    #expect(ports.handle == "ports")
    #expect(
      ports.frame.names == ["text", "number", "amount", "flag", "maybe", "list", "point", "any"])
    #expect(
      "\(ports.frame)" == """
        {"text":"","number":0,"amount":0.5,"flag":false,"maybe":null,"list":[],"point":{"x":0},\
        "any":null}
        """)
    await session.close()
  }

  @Test func `an input is in the frame when sending it returns`() async throws {
    let session = try await Fixture.session("kitfixture")
    let ports = try await session.open("kit.ports", as: "all")
    try await ports.send("setPoint", Point(x: 3, y: -1))
    #expect(try ports.frame.decode("point", as: Point.self) == Point(x: 3, y: -1))
    try await ports.send("setList", ["a", "b"])
    #expect(ports.frame["list"] == "[\"a\",\"b\"]")
    try await ports.send("setAny", ["one": 1, "two": [true, .null]] as JSONValue)
    #expect(ports.frame["any"] == "{\"one\":1,\"two\":[true,null]}")
    try await ports.send("setAny", json: " {\"b\" : 1.0, \"a\" : 12345678901234567890}")
    #expect(ports.frame["any"] == "{\"a\":12345678901234567890,\"b\":1}")
    try await ports.send("setMaybe", String?.none)
    #expect(try ports.frame.decode("maybe", as: String?.self) == nil)
    #expect(ports.frame["nothing"] == nil)
    await session.close()
    #expect(ports.frame["point"] == "{\"x\":3,\"y\":-1}")
  }

  @Test func `each subscriber gets all outputs since it subscribed`() async throws {
    let session = try await Fixture.session("kitfixture")
    let ports = try await session.open("kit.ports")
    let early = ports.outputs()
    try await ports.send("setText", "one")
    let late = ports.outputs()
    try await ports.send("tap")
    try await ports.send("setNumber", 2)
    await session.close()
    #expect(try await lines(of: late) == ["tapped", "number 2"])
    #expect(
      try await lines(of: early)
        == ["text \"one\"", "said \"one\"", "tapped", "number 2"])
    #expect(try await lines(of: ports.outputs()) == [])
  }

  @Test func `outputs are read while they happen`() async throws {
    let session = try await Fixture.session("echo")
    let echo = try await session.open("echo")
    let reading = Task { [outputs = echo.outputs()] in
      var sum = 0
      for try await output in outputs {
        sum += try output.decode(as: Int.self)
        if sum == 55 { return true }
      }
      return false
    }
    for number in 1...10 { try await echo.send("say", number) }
    #expect(try await reading.value)
    // A reader that has left is no hindrance.
    try await echo.send("say", 11)
    await session.close()
  }

  @Test func `a closed instance is over and its handle is free`() async throws {
    let session = try await Fixture.session("echo")
    let first = try await session.open("echo")
    let outputs = first.outputs()
    try await first.send("say", "still")
    try await first.close()
    try await first.close()
    #expect(try await lines(of: outputs) == ["said \"still\""])
    let second = try await session.open("echo")
    #expect(second.handle == first.handle)
    #expect(
      await words { try await first.send("say", 1) }
        == "closed: the instance \"echo\" is closed.")
    let others = second.outputs()
    try await second.send("say", 2)
    await session.close()
    #expect(try await lines(of: others) == ["said 2"])
  }

  @Test func `says what was wrong with what it was given and goes on`() async throws {
    let anInteger = "an integer from \(Int.min) to \(Int.max)"
    let session = try await Fixture.session("kitfixture")
    let ports = try await session.open("kit.ports")
    #expect(
      await words { try await ports.send("setTxt", "a") }
        == "invalid: ports has no input \"setTxt\". Did you mean \"setText\"?")
    #expect(
      await words { try await ports.send("setNumber", "a") } == """
        refused: ports can't take this value for "setNumber": expected an integer, found "a".
        """)
    #expect(
      await words { try await ports.send("setAny", json: "[1,]") } == """
        invalid: the value for "setAny" is not JSON: expected a value, found "]" (byte 3).
        """)
    #expect(
      await words { try await ports.send("setAmount", Double.nan) } == """
        invalid: could not write the value for "setAmount" as JSON: JSON has no number for nan.
        """)
    #expect(
      await words { _ = try ports.frame.decode("text", as: Int.self) } == """
        invalid: could not read the value of "text" as Int: expected \(anInteger), found "".
        """)
    #expect(
      await words { _ = try ports.frame.decode("txt", as: Int.self) }
        == "invalid: ports has no state \"txt\". Did you mean \"text\"?")
    #expect(
      await words { _ = try await session.open("kit.port") }
        == "invalid: there is no view model \"kit.port\". Did you mean \"kit.ports\"?")
    #expect(
      await words { _ = try await session.open("kit.random", config: [1]) }
        == "refused: the config of kit.random must be a JSON object.")
    #expect(
      await words { _ = try await session.open("kit.random", config: ["sides": "six"]) } == """
        refused: kit.random can't take this config: sides: expected an integer, found "six".
        """)
    #expect(
      await words { try await session.advance(by: .seconds(-1)) }
        == "invalid: time can't go back by -1.0 seconds.")
    try await ports.send("setText", "fine")
    #expect(ports.frame["text"] == "\"fine\"")
    await session.close()
  }
}
