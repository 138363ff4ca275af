import FuzzTargets
import Testing

/// Inputs that a fuzzer found something with, cut down to what it takes.
struct FoundInputTests {
  private static let inputs: [(target: FuzzTarget, found: String, bytes: [UInt8])] = [
    (
      .session, "a refusal from an instance that is still being opened, and was given nothing",
      [0, 1, 0, 2, 5, 0, 0, 0, 10, 0, 3, 0, 0, 0, 9, 2]
    ),
    (
      .session, "a refusal of an event beyond those that were delivered",
      [0, 0, 0, 0, 1, 0, 0, 0, 1, 5, 0, 0, 255, 255, 255, 255, 255, 0, 0, 0, 0, 10, 0]
    ),
    (
      .session, "an answer that was refused, whose request waits for another one",
      [
        0, 0, 0, 1, 1, 0, 1, 0, 4, 3, 4, 166, 166, 166, 5, 4, 1, 0, 3, 0, 4, 3, 6, 2, 0, 0, 5, 0, 1,
        4,
        0, 0, 0, 10, 2, 7,
      ]
    ),
    (
      .workerProtocol, "a fault in a batch that was refused as a whole",
      [200, 0, 2, 3, 3, 0, 18, 0, 0, 1, 1, 6, 0, 2, 2, 0, 254, 0]
    ),
    (
      .workerLink, "more finished steps than there are numbers, from a worker that then ends",
      [0, 0, 0, 0, 0, 0, 0, 1, 0, 3, 0, 1, 0, 3, 0, 3, 4, 5, 40, 0, 128, 0, 0]
    ),
    (
      .workerLink, "the first frame of an instance, with events of another one",
      [
        0, 1, 0, 0, 0, 0, 0, 126, 0, 0, 0, 3, 0, 70, 1, 4, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
        0, 0, 0, 0, 0, 0, 255, 0, 0, 0, 0, 99, 255, 64, 4, 0,
      ]
    ),
    (
      .transcript,
      "a mistake in a JSON line with escapes, which showed only when it was carried out",
      [0, 0] + Array("{\"kind\":\"close\",\"name\":\"\\u0061\"}".utf8)
    ),
  ]

  @Test(arguments: inputs)
  func `what was found holds now`(
    _ target: FuzzTarget, _ found: String, _ bytes: [UInt8]
  ) throws {
    try target.check(bytes)
  }
}
