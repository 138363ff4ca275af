import Dispatch
import Foundation
import FoundationNetworking
import Glibc

/// Something that a confined plugin can't do.
enum Act: String {
  case thread, pthread, mainQueue, globalQueue, ownQueue, concurrentPerform, asyncAfter, timer
  case runLoop, urlSession, readData, readString, writeData, listFolder, makeFile, openFile
  case fileHandle, socket, defaults, process, spawn, execute, system, pipe
  case exit, abort, fatal, index, timeZone

  /// Returns what came of it, if the process goes on.
  func perform() -> String {
    switch self {
    case .thread: Thread.detachNewThread {}
    case .pthread: return Self.startThread()
    case .mainQueue: DispatchQueue.main.async {}
    case .globalQueue: DispatchQueue.global().async {}
    case .ownQueue: DispatchQueue(label: "own").async {}
    case .concurrentPerform: DispatchQueue.concurrentPerform(iterations: 8) { _ in }
    case .asyncAfter: DispatchQueue.global().asyncAfter(deadline: .now() + 1) {}
    case .timer: _ = Timer.scheduledTimer(withTimeInterval: 1, repeats: false) { _ in }
    case .runLoop: RunLoop.current.run(until: Date() + 1)
    case .urlSession: Self.fetch()
    case .readData, .readString, .writeData, .listFolder, .makeFile, .openFile, .fileHandle:
      return useFile()
    case .socket: return "\(Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0))"
    case .defaults:
      UserDefaults.standard.set("dark", forKey: "theme")
      return "\(UserDefaults.standard.string(forKey: "theme") ?? "nothing")"
    case .process: return Self.run()
    case .spawn: return Self.spawn()
    case .execute: return Self.execute()
    case .system: return unsafe "\(Glibc.system("date"))"
    case .pipe: return unsafe "\(popen("date", "r") == nil)"
    case .exit: Glibc.exit(3)
    case .abort: Glibc.abort()
    case .fatal: fatalError("the cart is empty")
    case .index: return "\(Self.element(at: 3))"
    case .timeZone: return "\(TimeZone(identifier: "Europe/Vienna") != nil)"
    }
    return "came back"
  }

  private static func startThread() -> String {
    var thread = pthread_t()
    return unsafe "\(pthread_create(&thread, nil, { _ in nil }, nil))"
  }

  private static func fetch() {
    guard let url = URL(string: "http://127.0.0.1:9/") else { return }
    URLSession.shared.dataTask(with: url).resume()
  }

  private func useFile() -> String {
    let path = "/etc/passwd"
    let url = URL(fileURLWithPath: path)
    switch self {
    case .readData: return "\((try? Data(contentsOf: url)) == nil)"
    case .readString: return "\((try? String(contentsOfFile: path, encoding: .utf8)) == nil)"
    case .writeData: return "\((try? Data("x".utf8).write(to: url)) == nil)"
    case .listFolder:
      return "\((try? FileManager.default.contentsOfDirectory(atPath: "/etc")) == nil)"
    case .makeFile:
      return "\(FileManager.default.createFile(atPath: "/tmp/new", contents: nil))"
    case .fileHandle: return "\(FileHandle(forReadingAtPath: path) == nil)"
    default: return unsafe "\(open(path, O_RDONLY))"
    }
  }

  private static func run() -> String {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/true")
    do {
      try process.run()
      return "ran"
    } catch { return "could not run" }
  }

  private static func spawn() -> String {
    var process = pid_t()
    var arguments: [UnsafeMutablePointer<CChar>?] = unsafe [nil]
    return unsafe "\(posix_spawn(&process, "/bin/true", nil, nil, &arguments, nil))"
  }

  private static func execute() -> String {
    var arguments: [UnsafeMutablePointer<CChar>?] = unsafe [nil]
    return unsafe "\(execv("/bin/true", &arguments))"
  }

  @inline(never) private static func element(at index: Int) -> Int { [1, 2, 3][index] }
}
