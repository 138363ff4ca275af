import Basics
import CanonicalJSON
import HostCore
import TestSupport
import Testing

/// Very many lines with numbers, of which most are wrong in some way.
struct AnswerSoakTests {
  private static let count = 100_000

  /// Makes lines as a front end might that is behind, and broken.
  private struct Sender {
    private var random: SplitMix64
    private var previous = ""
    private(set) var lines: [String] = []
    /// The number of each line; nil if it can't be read.
    private(set) var seqs: [UInt64?] = []

    init(seed: UInt64) { random = SplitMix64(seed: seed) }

    private mutating func number(below bound: Int) -> Int {
      Int.random(in: 0..<bound, using: &random)
    }

    private mutating func choice(_ choices: [String]) -> String {
      choices[number(below: choices.count)]
    }

    mutating func send() {
      let seq = UInt64(lines.isEmpty ? 1 : number(below: 1000))
      let line = lines.isEmpty ? valid(seq) : number(below: 10) == 0 ? previous : valid(seq)
      guard !lines.isEmpty, number(below: 8) == 0 else {
        previous = line
        return add(line, Self.seq(of: line))
      }
      var bytes = Array(line.utf8)
      if number(below: 2) == 0 {
        bytes.removeSubrange((1 + number(below: bytes.count - 1))...)
      } else {
        // Any printable character, in any place but the first.
        bytes[1 + number(below: bytes.count - 1)] = UInt8(0x20 + number(below: 0x5f))
      }
      let broken = String(decoding: bytes, as: UTF8.self)
      add(broken, Self.seq(of: broken))
    }

    private mutating func add(_ line: String, _ seq: UInt64?) {
      lines.append(line)
      seqs.append(seq)
    }

    /// The number that vmhost is to find in a line.
    private static func seq(of line: String) -> UInt64? {
      let bytes = Array(line.utf8)
      var seq: UInt64?
      if (try? ScriptLine.parse(bytes.span, seq: &seq)) != nil { return seq }
      return if case .number(let seq) = ScriptLine.seq(ofBroken: bytes.span) { seq } else { nil }
    }

    private mutating func valid(_ seq: UInt64) -> String {
      let handle = choice(["a", "b", "c", "d"])
      let id = 1 + number(below: 40)
      let head = number(below: 2) == 0 ? "\"seq\":\(seq)," : ""
      let tail = head.isEmpty ? ",\"seq\":\(seq)" : ""
      let line = choice([
        #""instance":"ports","name":"setNumber","value":\#(id)"#,
        #""instance":"ports","name":"setNumber","value":\#(id)"#,
        #""instance":"ports","name":"setNumber","value":"x""#,
        #""instance":"ports","name":"setText","value":"größe \#(id)""#,
        #""instance":"ports","name":"nix""#,
        #""kind":"input","instance":"\#(handle)","name":"ping""#,
        #""kind":"input","instance":"\#(handle)","name":"locate","value":{"city":"Graz"}"#,
        #""kind":"open","viewModel":"kit.effects","instance":"\#(handle)""#,
        #""kind":"close","instance":"\#(handle)""#,
        #""kind":"reply","instance":"\#(handle)","id":\#(id)"#,
        #""kind":"reply","instance":"\#(handle)","id":\#(id),"value":{"city":"Linz"}"#,
        #""kind":"error","instance":"\#(handle)","id":\#(id),"code":"offline""#,
        #""kind":"advance","by":"\#(id)ms""#, #""kind":"advance","by":"idle""#,
        #""kind":"frame","instance":"ports""#, #""kind":"go","step":\#(id)"#,
      ])
      return "{\(head)\(line)\(tail)}"
    }
  }

  @Test func `each of 100,000 lines has one answer in its turn, and the recording replays`()
    async throws
  {
    var sender = Sender(seed: 12)
    for _ in 0..<Self.count { sender.send() }
    try await TemporaryDirectory.with { directory in
      let recording = directory.file("r.vmt")
      let output = try await VMHostRun.output(
        ["run", "kitfixture.so", "--view-model", "kit.ports", "--record", recording]
          + Arguments.jsonl,
        .text(sender.lines.joined(separator: "\n") + "\n"))
      // A request may be open at the end.
      #expect(output.stderr.split(separator: "\n").allSatisfy { $0.contains("nobody answered") })
      #expect(output.status == .success)
      var next = 0
      var codes: Set<String> = []
      for line in output.stdout.split(separator: "\n")
      where line.hasPrefix("{\"kind\":\"done\"") || line.hasPrefix("{\"kind\":\"refused\"") {
        let answer = try JSONValue(parsing: Array(line.utf8).span)
        try #require(next < Self.count)
        if let code = answer["code"]?.stringValue { codes.insert(code) }
        let isRight =
          sender.seqs[next].map { answer["seq"]?.intValue == Int($0) }
          ?? (answer["seq"] == nil && answer["line"]?.intValue == next + 1)
        try #require(isRight, "line \(next + 1): \(sender.lines[next]) was answered with \(line)")
        next += 1
      }
      #expect(next == Self.count)
      #expect(
        codes.isSuperset(of: ["syntax", "closed", "value", "unknown-request", "unsupported"]))
      let test = try await VMHostRun.output(["test", recording])
      #expect(test.status == .success, "\(test.stdout.prefix(2000))")
    }
  }
}
