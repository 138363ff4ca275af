/// What is wanted of the coverage of ports.
struct PortCoverageOptions: Sendable {
  /// Whether a report for people is printed.
  let isShown: Bool
  /// The file for a report as JSON.
  let file: String?
  /// How many percent of the ports have to be touched.
  let minimum: Int?

  var isWanted: Bool { isShown || file != nil || minimum != nil }

  init(_ arguments: ParsedArguments) throws(Failure) {
    isShown = arguments.flag("port-coverage")
    file = arguments.value(of: "port-coverage-file")
    minimum = try arguments.read(
      "port-coverage-min", as: "a whole number of percent, from 1 to 100"
    ) { text in Int(text).flatMap { 1...100 ~= $0 ? $0 : nil } }
    if minimum != nil, arguments.value(of: "shard") != nil {
      throw Failure(
        .usage,
        "--port-coverage-min: a shard touches only some of the ports, and the coverage of shards"
          + " isn't merged. Use it in a run without --shard.")
    }
  }
}
