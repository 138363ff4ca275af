import Glibc
import HostCore
import HostShims
import Synchronization
import TestSupport
import Testing

struct ConfinementTests {
  @Test func `has every layer on, on a machine that offers all`() throws {
    let probe = ConfinementProbe()
    let offered = try Confinement.probe()
    let worker = try probe.start("nothing")
    var report = worker.report
    report.adopt(try probe.receiveReport(from: worker))
    #expect(report.missing() == offered.missing() + [.seccompRun])
    if offered.missing().isEmpty { try report.require(.strict, .beforeLoading) }
    try probe.go(worker)
    report.adopt(try probe.receiveReport(from: worker))
    #expect(report.missing() == offered.missing())
    if offered.missing().isEmpty { try report.require(.strict, .afterLoading) }
    try probe.go(worker)
    #expect(worker.finish(within: 60_000_000_000) == .exited(0))
  }

  @Test(arguments: ["echo", "movies"])
  func `loads a library from its snapshot, with every layer on`(_ name: String) throws {
    var probe = ConfinementProbe(stage: 1)
    probe.image = try BuildProducts.library(name)
    #expect(try probe.attempt("load-image") == "done")
  }

  @Test(arguments: ["allocate-some", "wake", "free-pages", "read-own-affinity"])
  func `allows what a plugin needs`(_ attempt: String) throws {
    #expect(try ConfinementProbe().attempt(attempt) == "done")
  }

  @Test(arguments: [
    ("abort", "signal 6 (Aborted)"), ("use-null", "signal 11 (Segmentation fault)"),
    ("other-table", "signal 31 (Bad system call)"),
    // The limit on files holds for files in memory too, and comes before the seal.
    ("change-image", "signal 25 (File size limit exceeded)"),
  ])
  func `says by which signal a worker ended`(_ attempt: String, _ end: String) throws {
    #expect(try ConfinementProbe().attempt(attempt) == end)
  }

  @Test(arguments: ["change-image", "map-image", "cut-memory"])
  func `seals image and shared memory, without any layer`(_ attempt: String) throws {
    #expect(try ConfinementProbe(layers: []).attempt(attempt) == "EPERM")
  }

  // The kernel itself may hold a page for a moment, such as while it moves it. A pipe holds it
  // until it is read.
  @Test func `seals an image of which a page is in use`() throws {
    var ends: [Int32] = [0, 0]
    var inMemory: Int32 = 0
    #expect(unsafe host_image_create("/tmp", &ends, &inMemory) == 0)
    let image = FileDescriptor(adopting: ends[0])
    let writer = FileDescriptor(adopting: ends[1])
    #expect(unsafe write(writer.number, "page", 4) == 4)
    let pipe = try FileDescriptor.pipe()
    var start: off_t = 0
    #expect(unsafe sendfile(pipe.writing.number, image.number, &start, 4) == 4)
    let source = try FileDescriptor.openForReading(BuildProducts.library("echo"))
    var progress = host_image_source()
    #expect(unsafe host_image_fill(writer.number, source.number, inMemory, &progress) == 0)
    #expect(unsafe write(writer.number, "page", 4) == -1 && errno == EPERM)
  }

  @Test func `says that a plugin started a thread`() throws {
    let probe = ConfinementProbe(stage: 1)
    let worker = try probe.start("start-thread")
    _ = try probe.receiveReport(from: worker)
    try probe.go(worker)
    #expect(
      try probe.text(of: worker.output.number)
        == "vmhost: it called pthread_create, and a confined plugin has one thread; use Work or"
        + " Task\nEAGAIN")
  }

  @Test func `puts memory at the same addresses in every run`() throws {
    let runs = try (0..<4).map { _ in try ConfinementProbe().attempt("print-address") }
    #expect(Set(runs).count == 1)
    let random = try (0..<4).map { _ in
      try ConfinementProbe(layers: []).attempt("print-address")
    }
    #expect(Set(random).count > 1)
  }

  @Test func `gives a worker few variables, whatever the host's own`() {
    let names = ConfinedProcess.Command.fixedEnvironment().map { $0.prefix { $0 != "=" } }
    let fixed: Set<Substring> = [
      "LANG", "LC_ALL", "TZ", "SWIFT_DETERMINISTIC_HASHING", "SWIFT_BACKTRACE",
    ]
    #expect(Set(names).subtracting(["LD_LIBRARY_PATH"]) == fixed)
  }

  @Test func `says why a worker could not be started, and leaves nothing behind`() throws {
    let image = try SealedImage()
    let memory = try SharedMemory(count: 4096)
    let command = ConfinedProcess.Command(executable: "/nowhere", arguments: ["nowhere"])
    let error = #expect(throws: SystemError.self) {
      _ = try ConfinedProcess(command, image: image, memory: memory)
    }
    #expect(error?.isNotFound == true)
  }

  @Test func `kills and reaps a worker that is let go`() throws {
    var worker: ConfinedProcess? = try ConfinementProbe(stage: 0).start("wait")
    let identifier = try #require(worker?.identifier)
    let status = try Files.read("/proc/\(identifier)/stat")
    #expect(!status.isEmpty)
    worker = nil
    // Gone, not a zombie: a zombie would still have its entry.
    #expect(throws: SystemError.self) { _ = try Files.read("/proc/\(identifier)/stat") }
  }

  @Test func `the kernel ends a worker before its host where memory runs out`() throws {
    func score(of process: String) throws -> String {
      String(decoding: try Files.read("/proc/\(process)/oom_score_adj"), as: UTF8.self)
    }
    let worker = try ConfinementProbe(stage: 0).start("wait")
    #expect(try score(of: "\(worker.identifier)") == "1000\n")
    #expect(try score(of: "self") != "1000\n")
  }

  @Test func `kills a worker that doesn't end in time`() throws {
    let probe = ConfinementProbe(stage: 1)
    let worker = try probe.start("wait")
    _ = try probe.receiveReport(from: worker)
    try probe.go(worker)
    #expect(worker.end(within: 0) == nil)
    #expect(worker.finish(within: 1_000_000) == .killed(signal: 9))
    #expect(worker.end(within: 0) == .killed(signal: 9))
  }

  @Test func `the machine's time can be had without the C library, whose clocks are the session's`()
    async throws
  {
    let before = SystemClock.wall() / 1_000_000_000
    let probe = try BuildProducts.executable("worker-probe")
    let output = try await ChildProcess.run(probe, ["clocks"])
    let times = output.lines.compactMap(Int64.init)
    try #require(times.count == 2, "\(output.stdout)")
    // The year 2000, which is what a session shows before it has begun.
    #expect(times[0] == 946_684_800)
    #expect(times[1] >= before)
  }

  @Test func `leaves no worker behind when the host is killed`() throws {
    let host = try ChildProcess(try BuildProducts.executable("worker-probe"), ["host"])
    let worker = try #require(Int32(try host.readLine() ?? ""))
    let handle = FileDescriptor(adopting: host_pidfd_open(worker))
    host.kill(SIGKILL)
    var interests = [Descriptor.Interest(handle.number)]
    try Descriptor.wait(for: &interests, timeout: 60_000_000_000)
    #expect(interests[0].isReady)
  }

  @Test func `keeps a worker whose starter's thread has ended`() throws {
    let probe = ConfinementProbe(stage: 1)
    let started = Mutex<Result<ConfinedProcess, any Error>?>(nil)
    let thread = try JoinableThread {
      let result = Result { try probe.start("nothing") }
      started.withLock { $0 = result }
    }
    thread.join()
    let worker = try #require(try started.withLock { try $0?.get() })
    _ = try probe.receiveReport(from: worker)
    try probe.go(worker)
    #expect(worker.finish(within: 60_000_000_000) == .exited(0))
  }

  @Test func `leaves a worker no files and no life after the host, even unconfined`() throws {
    let probe = ConfinementProbe(layers: SandboxMode.off.layers)
    let targets = try ConfinementTargets()
    let descriptor = targets.argument(for: "use-descriptor")
    #expect(try probe.attempt("use-descriptor", descriptor) == "EBADF")
    #expect(try probe.attempt("read-file", "/etc/passwd") == "done")
    #expect(SandboxMode.bestEffort.layers == .all)
    #expect(SandboxMode.strict.layers == .all)
  }

  @Test func `tells a worker how to confine itself`() {
    let confinement = Confinement(
      layers: [.landlock, .limits], memory: 1, cpuSeconds: 2,
      readable: ["/a b", "", PathText.text([0x2f, 0xff])])
    func told(_ bytes: [UInt8]) -> Confinement? { Confinement(encoded: bytes.span) }
    #expect(told(confinement.encoded) == confinement)
    #expect(told(Confinement().encoded) == Confinement())
    #expect(told(confinement.encoded.dropLast()) == nil)
    for wrong in [[], ["1"], ["1", "2"], ["x", "1", "2"], ["1", "-1", "2"], ["1", "2", ""]] {
      #expect(Confinement(arguments: wrong) == nil)
    }
  }
}
