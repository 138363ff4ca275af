import Glibc
import HostCore
import TestSupport

/// One thing that a hostile plugin tries, and which layers keep it from that, each by itself.
struct ConfinementAttempt: CustomStringConvertible {
  let name: String
  /// The layers that stop it while the library is being loaded.
  let loading: Set<ConfinementLayer>
  /// The layers that stop it once the library is loaded.
  let running: Set<ConfinementLayer>
  /// Further ones, in both stages, by who runs the host: root has privileges to lose, and the
  /// limit on processes doesn't hold for root.
  var forRoot: Set<ConfinementLayer> = []
  var forOthers: Set<ConfinementLayer> = []
  /// True if a system with Yama forbids it to everybody.
  var isTrace = false

  var description: String { name }

  /// The first version of Landlock that knows of it.
  var landlock: UInt32 = 1

  /// The layers that stop it on a machine that has these.
  func stopping(stage: Int, _ offered: ConfinementReport) -> Set<ConfinementLayer> {
    (stage == 1 ? loading : running).union(geteuid() == 0 ? forRoot : forOthers).filter {
      offered[$0] == .on && ($0 != .landlock || offered.landlockVersion >= landlock)
    }
  }

  /// False where this machine forbids it to everybody.
  var isPossibleUnconfined: Bool {
    let yama = try? Files.read("/proc/sys/kernel/yama/ptrace_scope")
    return !isTrace || yama == nil || yama?.first == UInt8(ascii: "0")
  }

  static let all: [ConfinementAttempt] = [
    .init("read-file", [.landlock], [.landlock, .limits, .seccompRun]),
    .init("read-folder", [.landlock], [.landlock, .limits, .seccompRun], .seccompLoad),
    .init("write-file", [.landlock], [.landlock, .limits, .seccompRun], .seccompLoad),
    .init("make-folder", [.landlock], [.landlock, .seccompRun], .seccompLoad),
    .init("run-program", [.landlock], [.limits, .seccompRun], .seccompLoad),
    .init("connect-tcp", [.landlock, .namespaces], [.limits, .seccompRun], .seccompLoad)
      .since(4),
    .init("connect-udp", [.namespaces], [.limits, .seccompRun], .seccompLoad),
    // A socket with a path is all that one layer alone keeps away while a library is loaded.
    .init("connect-unix", [], [.limits, .seccompRun], .seccompLoad),
    .init("connect-abstract", [.landlock, .namespaces], [.limits, .seccompRun], .seccompLoad)
      .since(6),
    .init("signal-host", [.landlock], [.seccompRun], .seccompLoad).since(6),
    .init("own-signals", [], [.seccompRun], .seccompLoad),
    .init("trace-host", [.landlock, .namespaces], [.seccompRun], .seccompLoad).tracing,
    .init("read-host-memory", [.landlock, .namespaces], [.seccompRun], .seccompLoad).tracing,
    .init("open-host-memory", [.landlock, .namespaces], [.limits, .seccompRun], .seccompLoad)
      .tracing,
    .init("read-host-environment", [.landlock, .namespaces], [.limits, .seccompRun])
      .losingPrivileges,
    .init("start-process", [], [.seccompRun], .seccompLoad).limited,
    .init("clone-thread", [], [.seccompRun], .seccompLoad).limited,
    .init("outlive-host", [], [.seccompRun], .seccompLoad),
    .init("hide", [], [.seccompRun], .seccompLoad),
    .init("new-namespace", [.namespaces], [.seccompRun], .seccompLoad),
    .init("use-ring", [], [.limits, .seccompRun], .seccompLoad),
    .init("send-descriptor", [], [.seccompRun], .seccompLoad),
    .init("send-urgent", [], [.seccompRun], .seccompLoad),
    .init("receive", [], [.seccompRun], .seccompLoad),
    .init("requeue-futex", [], [.seccompRun], .seccompLoad),
    .init("lend-priority", [], [.seccompRun], .seccompLoad),
    .init("give-advice", [], [.seccompRun], .seccompLoad),
    .init("read-affinity", [], [.seccompRun], .seccompLoad),
    .init("add-filter", [], [.seccompRun], .seccompLoad),
    // Once the filter is installed, nobody needs its memory.
    .init("cover-filter", [.seccompLoad], []),
    .init("allocate", [.limits], []),
    .init("allocate-shared", [.limits], []),
    .init("executable-memory", [], [.seccompRun]).loadingMay,
    .init("make-executable", [], [.seccompRun]).loadingMay,
    .init("use-descriptor", [.descriptors], []),
  ]

  /// True if it is what loading a library takes.
  private(set) var isAllowedWhileLoading = false

  /// `both` holds in either stage; what stops it while loading goes on to do so later.
  private init(
    _ name: String, _ loading: Set<ConfinementLayer>, _ running: Set<ConfinementLayer>,
    _ both: ConfinementLayer? = nil
  ) {
    self.name = name
    let both = Set([both].compactMap { $0 })
    self.loading = loading.union(both)
    self.running = loading.union(running).union(both)
  }

  private func with(_ change: (inout Self) -> Void) -> Self {
    var copy = self
    change(&copy)
    return copy
  }

  private var losingPrivileges: Self { with { $0.forRoot = [.privileges] } }
  private var tracing: Self { losingPrivileges.with { $0.isTrace = true } }
  private var limited: Self { with { $0.forOthers = [.limits] } }
  private func since(_ version: UInt32) -> Self { with { $0.landlock = version } }
  private var loadingMay: Self { with { $0.isAllowedWhileLoading = true } }
}

/// What the attempts aim at: each is there, so that only confinement can keep it away.
final class ConfinementTargets {
  private let folder: TemporaryDirectory
  private let listener: ChildProcess
  private let port: String
  private let name = "vmhost-test-\(getpid())-\(UInt64.random(in: 0 ... .max))"
  /// Open without the mark that would close it in a child.
  private let leaked: FileDescriptor
  private var made = 0

  init() throws {
    folder = try TemporaryDirectory()
    let probe = try BuildProducts.executable("worker-probe")
    listener = try ChildProcess(probe, ["listen", folder.path + "/socket", name])
    guard let port = try listener.readLine() else { throw ProbeError("Nobody listens.") }
    self.port = port
    leaked = FileDescriptor(adopting: fcntl(STDIN_FILENO, F_DUPFD, 50))
  }

  /// The argument for an attempt of this name.
  func argument(for name: String) -> String {
    switch name {
    case "read-file": return "/etc/passwd"
    case "read-folder": return "/"
    case "write-file", "make-folder":
      made += 1
      return folder.path + "/\(made)"
    case "connect-tcp", "connect-udp": return port
    case "connect-unix": return folder.path + "/socket"
    case "connect-abstract": return self.name
    case "use-descriptor": return "\(leaked.number)"
    default: return ""
    }
  }
}
