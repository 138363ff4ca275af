// Lies in the protocol between host and worker, byte by byte, and what comes of them.
//
// A frame is written as its kind, the length that its header announces, and its payload in
// hexadecimal.
extension HostileAct {
  static let forgeries = frames + ends + windows

  private static let nonsense = HostileOutcome.ends("broke the worker protocol")
  private static let wrongFrame = HostileOutcome.fails(
    "Could not load \"forger.so\": its worker broke the protocol.")
  private static let hungUp = HostileOutcome.ends("closed its connection to vmhost")

  /// What can't be a frame, or not now, whatever the confinement.
  private static func lie(
    _ name: String, _ frame: String, loading: HostileOutcome = nonsense
  ) -> HostileAct {
    HostileAct(
      name: name, target: .fixed(frame), loading: loading, running: nonsense, free: nonsense)
  }

  private static let frames: [HostileAct] = [
    .always("send-garbage", nonsense),
    .always("send-garbage-for-ever", nonsense),
    // Kinds of a worker, without what they carry, with less of it, and with more.
    lie("send-frame", "64,0,", loading: wrongFrame),
    lie("send-frame", "64,4,02000000", loading: wrongFrame),
    lie("send-frame", "65,0,", loading: wrongFrame),
    lie("send-frame", "65,3,010101", loading: wrongFrame),
    lie("send-frame", "66,0,", loading: wrongFrame),
    lie("send-frame", "68,0,", loading: wrongFrame),
    lie("send-frame", "68,4,ffffffff", loading: wrongFrame),
    lie("send-frame", "68,12,ffffffffffffffffffffffff", loading: wrongFrame),
    // Kinds of the host, and none at all.
    lie("send-frame", "1,0,", loading: wrongFrame),
    lie("send-frame", "2,4,00000000", loading: wrongFrame),
    lie("send-frame", "4,4,00000000", loading: wrongFrame),
    lie("send-frame", "0,0,"),
    lie("send-frame", "63,0,"),
    lie("send-frame", "255,1,00"),
    // More than any frame has.
    lie("send-frame", "68,4294967295,"),
    lie("send-frame", "65,536870913,"),
    lie("send-frames", "64,0,", loading: wrongFrame),
    lie("send-frames", "68,0,", loading: wrongFrame),
    lie("send-frame-and-crash", "64,0,", loading: wrongFrame),
    lie("claim-loaded", "111111111").laterOnly,
    // What is announced never comes, and swallows what the worker itself sends.
    .always("send-frame", .hangs, target: .fixed("68,1000,00")),
    .always("send-frame-and-sleep", .hangs, target: .fixed("65,100,0000")),
    .kept("swallow", loading: .notPermitted, running: .notPermitted),
  ]

  private static let ends: [HostileAct] = [
    .always(
      "hang-up", .exit(70), printed: .lines(["worker: send: Bad file descriptor"])),
    .always("hang-up-and-sleep", hungUp),
    .kept("shut-down", loading: .notPermitted, running: .notPermitted, free: .exit(70)),
    .kept("stop-sending", loading: .notPermitted, running: .notPermitted, free: .exit(70)),
    .kept(
      "replace-socket", loading: .notPermitted, running: .notPermitted, free: .exit(70)),
    .kept("send-descriptor", loading: .notPermitted, running: .notPermitted, free: nonsense),
  ]

  private static let windows: [HostileAct] = [
    .always("scribble-and-crash", .fault, target: .fixed("ff")),
    .always("scribble-and-crash", .fault, target: .fixed("zero")),
    .always("scribble-and-crash", .fault, target: .fixed("chance")),
    .always("scribble-and-sleep", .hangs, target: .fixed("ff")),
    .always("scribble-and-sleep", .hangs, target: .fixed("zero")),
    .always("count-for-ever", .hangs),
    lie("claim-full", "68,0,", loading: wrongFrame),
    .kept(
      "resize-windows", .fixed("0"), loading: .notPermitted, running: .notPermitted,
      free: .notPermitted),
    // The limit on files ends it before the seal refuses it.
    .kept(
      "resize-windows", .fixed("1099511627776"), loading: .notPermitted, running: .notPermitted,
      free: .notPermitted, or: [.crash(25, "File size limit exceeded")]),
  ]

  /// It is a lie only after loading.
  private var laterOnly: Self {
    var copy = self
    copy.isOfInstances = true
    return copy
  }
}
