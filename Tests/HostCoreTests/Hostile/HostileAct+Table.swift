import Glibc

// What hostile plugins do, and what comes of it. The words are those of a machine that has all
// layers; with some of them off, one of the row's words must still be what a user sees.
extension HostileAct {
  static let all = ending + files + sockets + processes + memory + limits + outputs

  private static let invalid = HostileOutcome.says("Invalid argument")
  private static let tooManyFiles = HostileOutcome.says("Too many open files")
  private static let refused = HostileOutcome.says("Connection refused")
  private static let unreachable = HostileOutcome.says("Network is unreachable")
  private static let severalThreads = HostileOutcome.fails(
    "Could not load \"hostile.so\": Could not confirm that the worker is confined: it has 2 threads"
      + " instead of one. The plugin was not trusted further.")
  private static let noMemory = HostileOutcome.says("Cannot allocate memory")
  private static let badCall = HostileOutcome.crash(31, "Bad system call")
  private static let noSuchCall = HostileOutcome.says("Function not implemented")
  private static let again = HostileOutcome.says("Resource temporarily unavailable")

  /// Acts after which nothing more is heard of the plugin, and some that only seem to be such.
  private static let ending: [HostileAct] = [
    .always("write-to-null", .fault),
    .always("call-null", .fault),
    .always("write-to-code", .fault),
    .always("run-data", .fault),
    .always("divide-by-zero", .crash(8, "Floating point exception")),
    .always("run-nonsense", .crash(4, "Illegal instruction")),
    .always("overflow-stack", .fault),
    .always("smash-stack", .fault),
    .always("abort", .crash(6, "Aborted")),
    .always("use-freed", .fault),
    .always("use-freed-small", .done),
    .always(
      "free-twice", .crash(6, "Aborted"),
      printed: .lines(["free(): double free detected in tcache 2"])),
    .always("free-foreign", .crash(6, "Aborted"), printed: .lines(["free(): invalid pointer"])),
    .always("kill-itself", .crash(9, "Killed")),
    .always("terminate-itself", .crash(15, "Terminated")),
    .always("stop-itself", .hangs),
    .always("signal-itself", .done),
    .kept(
      "alarm-itself", loading: .notPermitted, running: .notPermitted,
      free: .crash(14, "Alarm clock")),
    .always("fault-for-ever", .hangs),
    .always("survive-fault", .done),
    .always("exit", .exit(0), target: .fixed("0")),
    .always("exit", .exit(3), target: .fixed("3")),
    .always("exit-at-once", .exit(0), target: .fixed("0")),
    .always("hang-at-exit", .done),
    .always("exit-and-hang", .hangs),
    .always("exit-thread", .exit(7), target: .fixed("7")),
    .always("spin", .hangs),
    .always("sleep", .hangs),
    .always("ignore-signals", .hangs),
    .always("lock-itself", .hangs),
  ]

  private static let files: [HostileAct] = [
    .kept("read-file", .file, loading: .denied, running: .denied, or: [tooManyFiles]),
    .kept(
      "read-file", .fixed("/etc/passwd"), loading: .denied, running: .denied, or: [tooManyFiles]),
    .kept("list-folder", .folder, loading: .denied, running: .denied, or: [tooManyFiles]),
    .kept("write-file", .file, loading: .denied, running: .denied, or: [tooManyFiles]),
    .kept("make-file", .newPath, loading: .denied, running: .denied, or: [tooManyFiles]),
    .kept("remove-file", .file, loading: .denied, running: .denied),
    .kept("move-file", .file, loading: .denied, running: .denied),
    .kept("change-mode", .file, loading: .denied, running: .denied),
    .kept("make-folder", .newPath, loading: .denied, running: .denied),
    .kept("make-link", .newPath, loading: .denied, running: .denied),
  ]

  private static let sockets: [HostileAct] = [
    .kept("connect-tcp", .tcp, loading: .denied, running: .denied, or: [tooManyFiles, refused]),
    .kept("send-udp", .udp, loading: .denied, running: .denied, or: [tooManyFiles, unreachable]),
    .kept("connect-unix", .named, loading: .denied, running: .denied, or: [tooManyFiles]),
    .kept(
      "connect-abstract", .abstract, loading: .denied, running: .denied,
      or: [tooManyFiles, refused]),
    .kept("listen-tcp", loading: .denied, running: .denied, or: [tooManyFiles]),
  ]

  private static let processes: [HostileAct] = [
    .kept("signal-host", loading: .notPermitted, running: .notPermitted),
    .kept("end-process", .process, loading: .notPermitted, running: .notPermitted),
    .kept("signal-all", loading: .notPermitted, running: .notPermitted),
    .kept("trace-process", .process, loading: .notPermitted, running: .notPermitted).uncertain,
    .kept("trace-itself", loading: .notPermitted, running: .notPermitted),
    .kept("read-host-memory", loading: .notPermitted, running: .notPermitted).uncertain,
    .kept("write-host-memory", loading: .notPermitted, running: .notPermitted).uncertain,
    .kept("open-host-memory", loading: .denied, running: .denied, or: [tooManyFiles]).uncertain,
    .kept("read-host-environment", loading: .denied, running: .denied, or: [tooManyFiles]),
    .kept("fork", loading: .notPermitted, running: .notPermitted, or: [again]),
    .kept("spawn", loading: .notPermitted, running: .notPermitted, or: [again, .denied]),
    .kept("execute", loading: .denied, running: .denied, free: .exit(0)),
    .kept("start-thread", loading: again, running: again).saying(
      "vmhost: it called pthread_create, and a confined plugin has one thread; use Work or Task"),
    .kept("clone-thread", loading: again, running: again, or: [severalThreads]).uncertain,
    .kept("new-namespace", loading: .notPermitted, running: .notPermitted).uncertain,
    .kept("outlive-host", loading: .notPermitted, running: .notPermitted),
    .kept("hide", loading: .notPermitted, running: .notPermitted),
  ]

  private static let memory: [HostileAct] = [
    .always("allocate", .done, target: .fixed("64")),
    .always("use-memory", .done, target: .fixed("64")),
    .kept("allocate", .fixed("1024"), loading: noMemory, running: noMemory),
    .kept("allocate-for-ever", loading: noMemory, running: noMemory),
    .kept("share-memory", loading: noMemory, running: noMemory),
    .kept("make-memory-file", loading: .notPermitted, running: .notPermitted, or: [tooManyFiles]),
    .kept("make-data-executable", loading: .done, running: .notPermitted),
    .kept("make-code-writable", loading: .done, running: .notPermitted),
    .kept(
      "load-library", .fixed("libutil.so.1"), loading: .done,
      running: .says("Can not access a needed shared library")),
  ]

  private static let limits: [HostileAct] = [
    .kept("raise-limits", loading: .notPermitted, running: .notPermitted).uncertain,
    .kept("change-personality", loading: .notPermitted, running: .notPermitted),
    .kept("change-priority", loading: .notPermitted, running: .notPermitted),
    .kept("change-user", loading: .notPermitted, running: .notPermitted, or: [invalid])
      .uncertain,
    .kept("change-folder", loading: .denied, running: .denied),
    .kept("use-ring", loading: .notPermitted, running: .notPermitted, or: [tooManyFiles])
      .uncertain,
    .kept("other-table", loading: badCall, running: badCall, free: noSuchCall),
    .always("close-outputs", .silent),
    .always("close-image", .done),
    .always("close-all", .exit(70)),
    .kept("signal-by-socket", loading: .notPermitted, running: .notPermitted),
    .kept(
      "change-image", loading: .says("File too large"), running: .says("File too large"),
      free: .notPermitted),
  ]

  private static let outputs: [HostileAct] = [
    .always("flood-output", .done, printed: .flood),
    .always("flood-errors", .done, printed: .flood),
    .always("flood-line", .done, printed: .bytes("x")),
    .always("flood-for-ever", .hangs, printed: .flood),
    .always(
      "print-nonsense", .done,
      printed: .lines(["\u{fffd}\u{fffd}\u{fffd}\u{fffd}[2J\u{fffd}]0;owned\u{fffd}"])),
    .always("read-clocks", .done),
    .always("read-chance", .done),
    .always("nap", .done),
  ]
}
