import Glibc
import HostShims
import TestSupport
import Testing

/// The filters for system calls, the document about them, and what they do with each call.
struct FilterTests {
  private let loading = FilterProgram(stage: 1)
  private let running = FilterProgram(stage: 2)
  private let serving = FilterProgram(stage: Int32(HOST_SERVING))
  private let own = UInt64(getpid())

  /// A row of the table in the document.
  private struct Row: Hashable {
    let call: String
    /// "always", "loading" or "serving".
    let when: String
    let isConditional: Bool
  }

  #if arch(x86_64)
    private static let isX86 = true
  #else
    private static let isX86 = false
  #endif

  /// The rows for this architecture.
  private static func rows() throws -> [Row] {
    let text = try Repository.text("Documentation/Sandbox.md")
    return text.split(separator: "\n").flatMap { line -> [Row] in
      let cells = line.split(separator: "|", omittingEmptySubsequences: false)
        .map { $0.trimmingPrefix { $0 == " " } }
      guard cells.count == 6, cells[1].hasPrefix("`"), !cells[4].isEmpty else { return [] }
      let isOld = cells[1].contains("(x86-64)")
      guard !isOld || isX86 else { return [] }
      let calls = cells[1].split(separator: "`").filter { $0.first?.isLetter == true }
      let when = cells[2].prefix { $0 != " " }
      return calls.map {
        Row(
          call: String($0), when: String(when),
          isConditional: cells[3].contains { $0 != " " })
      }
    }
  }

  @Test func `the document lists each allowed call, and why`() throws {
    let rows = try Self.rows()
    #expect(rows.count == Set(rows).count)
    for (stage, when) in [(Int32(1), "loading"), (2, "always"), (Int32(HOST_SERVING), "serving")] {
      for isConditional in [false, true] {
        let listed = rows.filter { $0.when == when && $0.isConditional == isConditional }
        let names = AllowedCalls(stage: stage, conditional: isConditional).names
        #expect(Set(listed.map(\.call)) == names, "\(when), conditional: \(isConditional)")
      }
    }
  }

  @Test func `the filters allow what the lists say, and nothing else`() {
    let always = Set(AllowedCalls(stage: 2, conditional: false).calls.values)
    let sometimes = Set(AllowedCalls(stage: 2, conditional: true).calls.values)
    let whileLoading = [false, true].flatMap {
      AllowedCalls(stage: 1, conditional: $0).calls.values
    }
    let whileServing = AllowedCalls(stage: Int32(HOST_SERVING), conditional: true).calls.values
    for number in Int32(0)..<2000 {
      let actions = running.actions(number)
      #expect(actions.contains(.allow) == (always.union(sometimes).contains(number)), "\(number)")
      #expect((actions == [.allow]) == always.contains(number), "\(number)")
      let isAllowed = always.union(sometimes).union(whileLoading).contains(number)
      #expect(loading.actions(number).contains(.allow) == isAllowed, "\(number), loading")
      let isServed = always.union(sometimes).union(whileServing).contains(number)
      #expect(serving.actions(number).contains(.allow) == isServed, "\(number), serving")
    }
  }

  @Test func `the filters kill whoever uses the table of another architecture`() {
    #if arch(x86_64)
      for program in [loading, running, serving] {
        for number in [Int32(0x4000_0000), 0x4000_0001, .max, -1, .min] {
          #expect(program.actions(number) == [.kill], "\(number)")
        }
      }
    #endif
  }

  private struct Case: CustomStringConvertible {
    let call: String
    let arguments: [UInt64]
    var running = FilterProgram.Action.allow
    /// The same as once loaded, unless it says otherwise.
    var loading: FilterProgram.Action?

    var description: String { "\(call)(\(arguments))" }

    init(
      _ call: String, _ arguments: [UInt64], _ running: FilterProgram.Action = .allow,
      loading: FilterProgram.Action? = nil
    ) {
      self.call = call
      self.arguments = arguments
      self.running = running
      self.loading = loading
    }
  }

  private static let notPermitted = FilterProgram.Action.refuse(errno: EPERM)
  private static let denied = FilterProgram.Action.refuse(errno: EACCES)
  private static let unknown = FilterProgram.Action.refuse(errno: ENOSYS)
  private static let invalid = FilterProgram.Action.refuse(errno: EINVAL)

  private func check(_ cases: [Case]) throws {
    var numbers: [String: Int32] = [:]
    for (stage, isConditional) in [(Int32(1), false), (1, true), (2, false), (2, true)] {
      numbers.merge(AllowedCalls(stage: stage, conditional: isConditional).calls) { $1 }
    }
    for item in cases {
      let number = try #require(numbers[item.call], "\(item.call)")
      #expect(running.action(number, item.arguments) == item.running, "\(item)")
      #expect(
        loading.action(number, item.arguments) == item.loading ?? item.running,
        "\(item), loading")
    }
  }

  @Test func `allow messages to the host and nothing else of sockets`() throws {
    let (urgent, silent, now, all): (UInt64, UInt64, UInt64, UInt64) = (1, 0x4000, 0x40, .max)
    try check([
      Case("sendto", [3, 1, 1, 0, 0, 0]), Case("sendto", [3, 1, 1, silent, 0, 0]),
      Case("sendto", [3, 1, 1, silent | now, 0, 0]),
      Case("sendto", [3, 1, 1, urgent, 0, 0], Self.notPermitted),
      Case("sendto", [3, 1, 1, silent | urgent, 0, 0], Self.notPermitted),
      Case("sendto", [3, 1, 1, all, 0, 0], Self.notPermitted),
      Case("sendto", [3, 1, 1, 0x2000_0000, 0, 0], Self.notPermitted),
      Case("sendto", [3, 1, 1, silent, 1, 0], Self.notPermitted),
      Case("sendto", [3, 1, 1, silent, 1 << 32, 0], Self.notPermitted),
    ])
  }

  @Test func `allow a server to take connections and nothing else of sockets`() throws {
    let calls = AllowedCalls(stage: Int32(HOST_SERVING), conditional: true).calls
    let cases: [(call: String, arguments: [UInt64], action: FilterProgram.Action)] = [
      ("accept4", [3, 0, 0, 0x80800], .allow), ("accept4", [3, 0, 0, 0], Self.notPermitted),
      ("accept4", [3, 0, 0, 0x80000], Self.notPermitted),
      ("accept4", [3, 1, 0, 0x80800], Self.notPermitted),
      ("accept4", [3, 1 << 32, 0, 0x80800], Self.notPermitted),
      ("shutdown", [4, 1], .allow), ("shutdown", [4, 0], Self.notPermitted),
      ("shutdown", [4, 2], Self.notPermitted),
    ]
    for item in cases {
      let number = try #require(calls[item.call])
      #expect(serving.action(number, item.arguments) == item.action, "\(item)")
      #expect(running.action(number, item.arguments) == Self.notPermitted, "\(item), a worker")
    }
  }

  @Test func `allow a futex to wait and wake`() throws {
    for operation in UInt64(0)...13 {
      let isAllowed = [0, 1, 9, 10].contains(operation)
      for flags: UInt64 in [0, 128, 256, 384] {
        let action = isAllowed ? FilterProgram.Action.allow : Self.unknown
        try check([Case("futex", [1, operation | flags], action)])
      }
      try check([Case("futex", [1, operation | 512], Self.unknown)])
    }
  }

  @Test func `allow the advice that allocators give`() throws {
    let allowed: Set<UInt64> = [0, 1, 2, 3, 4, 8, 14, 15]
    for advice in UInt64(0)...110 {
      let action = allowed.contains(advice) ? FilterProgram.Action.allow : Self.invalid
      try check([Case("madvise", [1 << 40, 4096, advice], action)])
    }
  }

  @Test func `allow a process to ask about itself and signal itself`() throws {
    try check([
      Case("sched_getaffinity", [0, 8, 1]), Case("sched_getaffinity", [own, 8, 1]),
      Case("sched_getaffinity", [1, 8, 1], Self.notPermitted),
      Case("kill", [own, 6]), Case("kill", [1, 6], Self.notPermitted),
      Case("kill", [UInt64(bitPattern: -1), 6], Self.notPermitted),
      Case("tgkill", [own, own, 6]), Case("tgkill", [1, 1, 6], Self.notPermitted),
      Case("prlimit64", [0, 7, 0, 1]), Case("prlimit64", [1, 7, 0, 1], Self.notPermitted),
      Case("prlimit64", [0, 7, 1, 0], Self.notPermitted, loading: .allow),
      Case("prlimit64", [0, 7, 1 << 32, 0], Self.notPermitted, loading: .allow),
      Case("prctl", [15, 1]), Case("prctl", [16, 1]), Case("prctl", [0x5356_4d41, 0]),
      Case("prctl", [1, 0], Self.notPermitted), Case("prctl", [4, 0], Self.notPermitted),
      Case("prctl", [22, 2, 1], Self.notPermitted),
      Case("prctl", [38, 1], Self.notPermitted, loading: .allow),
      Case("fcntl", [3, 1]), Case("fcntl", [3, 3]),
      Case("fcntl", [3, 0], Self.notPermitted), Case("fcntl", [3, 4], Self.notPermitted),
      Case("fcntl", [3, 8], Self.notPermitted),
    ])
  }

  @Test func `allow memory to be executable while a library is loaded`() throws {
    let place = UInt64(1) << 40
    try check([
      Case("mmap", [0, 4096, 3, 0x22]), Case("mmap", [place, 4096, 3, 0x32]),
      Case("mmap", [0, 4096, 5, 0x22], Self.notPermitted, loading: .allow),
      Case("mmap", [0, 4096, 7, 0x22], Self.notPermitted, loading: .allow),
      Case("mprotect", [place, 4096, 3]),
      Case("mprotect", [place, 4096, 5], Self.notPermitted, loading: .allow),
      Case("openat", [0, 1, 0], Self.denied, loading: .allow),
      Case("openat", [0, 1, 0x80000], Self.denied, loading: .allow),
      Case("openat", [0, 1, 1], Self.denied), Case("openat", [0, 1, 0o100], Self.denied),
      Case("openat", [0, 1, 0o1000], Self.denied), Case("openat", [0, 1, 0x10000], Self.denied),
    ])
  }

  /// A plugin could otherwise add a filter that isn't the second stage, and claim that it is.
  @Test func `allow only one filter to be added, and nobody to change it`() throws {
    let start = UInt64(1) << 20
    let (end, fixed) = (start + 0x10000, UInt64(0x32))
    try check([
      Case("seccomp", [1, 0, start], Self.notPermitted, loading: .allow),
      Case("seccomp", [1, 0, start + 16], Self.notPermitted),
      Case("seccomp", [1, 0, start | 1 << 32], Self.notPermitted),
      Case("seccomp", [1, 8, start], Self.notPermitted),
      Case("seccomp", [0, 0, start], Self.notPermitted),
      Case("seccomp", [2, 0, start], Self.notPermitted),
    ])
    for inside: UInt64 in [0, 4096, start - 4096, start, end - 4096] {
      try check([
        Case("mmap", [inside, 4096, 3, fixed], .allow, loading: Self.denied),
        Case("mmap", [inside, 1 << 40, 3, fixed], .allow, loading: Self.denied),
        Case("mmap", [inside, 4096, 3, 0x22]),
        Case("mprotect", [inside, 4096, 3], .allow, loading: Self.denied),
        Case("munmap", [inside, 4096], .allow, loading: Self.denied),
        Case("madvise", [inside, 4096, 4], .allow, loading: Self.denied),
        Case("mremap", [inside, 4096, 8192, 1], .allow, loading: Self.denied),
        Case("mremap", [1 << 40, 4096, 4096, 3, inside], .allow, loading: Self.denied),
        Case("mremap", [1 << 40, 4096, 4096, 1, inside]),
      ])
    }
    for outside: UInt64 in [end, end + 4096, 1 << 32, (1 << 32) + start, 1 << 47] {
      try check([
        Case("mmap", [outside, 4096, 3, fixed]), Case("mprotect", [outside, 4096, 3]),
        Case("munmap", [outside, 4096]), Case("madvise", [outside, 4096, 4]),
        Case("mremap", [outside, 4096, 8192, 1]), Case("mremap", [1 << 40, 1, 1, 3, outside]),
      ])
    }
  }
}
