import Foundation
import Glibc
import HostCore
import Synchronization
import TestSupport

/// What hostile plugins aim at: files, sockets and a process of the test's own, so that it can be
/// seen whether they were touched.
final class HostileTargets: Sendable {
  private let folder: TemporaryDirectory
  private let tcp: FileDescriptor
  private let udp: FileDescriptor
  private let named: FileDescriptor
  private let abstract: FileDescriptor
  private let name = "vmhost-test-\(getpid())-\(UInt64.random(in: 0 ... .max))"
  private let state = Mutex(State())

  private struct State {
    /// How many names were given, and to which of them files were made.
    var names = 0
    var files: [String] = []
    /// Each lives until somebody ends it.
    var processes: [ChildProcess] = []
  }

  init() throws {
    folder = try TemporaryDirectory()
    tcp = try Self.bound(AF_INET, SOCK_STREAM, Self.loopback())
    udp = try Self.bound(AF_INET, SOCK_DGRAM, Self.loopback())
    named = try Self.bound(AF_UNIX, SOCK_STREAM, Self.unix(Array((folder.path + "/socket").utf8)))
    abstract = try Self.bound(AF_UNIX, SOCK_STREAM, Self.unix([0] + Array(name.utf8)))
  }

  /// An act with what it aims at, such as `read-file:/tmp/…`; a new thing for each call.
  func aim(_ act: String, at kind: Kind) throws -> String {
    switch kind {
    case .nothing: return act
    case .fixed(let target): return "\(act):\(target)"
    case .tcp: return "\(act):\(try Self.port(of: tcp.number))"
    case .udp: return "\(act):\(try Self.port(of: udp.number))"
    case .named: return "\(act):\(folder.path)/socket"
    case .abstract: return "\(act):\(name)"
    case .folder: return "\(act):\(folder.path)"
    case .newPath: return "\(act):\(folder.path)/\(nextName())"
    case .file:
      let name = nextName()
      let path = try folder.write("secret", to: name)
      state.withLock { $0.files.append(name) }
      try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
      return "\(act):\(path)"
    case .process:
      let process = try ChildProcess("/bin/cat")
      state.withLock { $0.processes.append(process) }
      return "\(act):\(process.processID)"
    }
  }

  enum Kind: Sendable {
    case nothing, file, newPath, folder, tcp, udp, named, abstract, process
    case fixed(String)
  }

  private func nextName() -> String {
    state.withLock { state in
      state.names += 1
      return "file-\(state.names)"
    }
  }

  // MARK: What was touched

  /// Everything that is not as it was made, in words; empty if nothing was touched.
  func touched() throws -> [String] {
    try touchedFiles() + connections() + endedProcesses()
  }

  private func touchedFiles() throws -> [String] {
    let files = state.withLock { $0.files }
    let present = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    let unknown = Set(present).subtracting(files).subtracting(["socket"])
    let changed = try files.filter { name in
      guard present.contains(name) else { return true }
      let contents = try Files.read(folder.file(name))
      let attributes = try FileManager.default.attributesOfItem(atPath: folder.file(name))
      return attributes[.posixPermissions] as? Int != 0o600
        || contents != Array("secret".utf8)
    }
    return (unknown + changed).sorted().map { "the file \($0)" }
  }

  private func connections() -> [String] {
    var found: [String] = []
    for (name, number) in [
      ("tcp", tcp.number), ("unix", named.number), ("abstract", abstract.number),
    ] {
      let accepted = accept(number, nil, nil)
      guard accepted >= 0 else { continue }
      _ = close(accepted)
      found.append("a connection by \(name)")
    }
    var byte: UInt8 = 0
    if unsafe recv(udp.number, &byte, 1, Int32(MSG_DONTWAIT)) >= 0 {
      found.append("a datagram")
    }
    return found
  }

  private func endedProcesses() -> [String] {
    state.withLock { $0.processes }
      .filter { process in
        // One that has ended is a zombie until its owner lets it go.
        let status = try? Files.read("/proc/\(process.processID)/stat")
        return !String(decoding: status ?? [], as: UTF8.self).contains(") S ")
      }
      .map { "the process \($0.processID)" }
  }

  // MARK: Sockets

  /// An address of any kind, and its size.
  private struct Address {
    var storage = sockaddr_storage()
    var size: Int
  }

  private static func loopback() -> Address {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    return wrapped(address, MemoryLayout<sockaddr_in>.size)
  }

  private static func unix(_ path: [UInt8]) -> Address {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: path) }
    let size = MemoryLayout.offset(of: \sockaddr_un.sun_path)! + path.count
    return wrapped(address, size)
  }

  private static func wrapped<Raw>(_ raw: Raw, _ size: Int) -> Address {
    var address = Address(size: size)
    unsafe withUnsafeMutableBytes(of: &address.storage) { bytes in
      unsafe bytes.storeBytes(of: raw, as: Raw.self)
    }
    return address
  }

  private static func bound(
    _ domain: Int32, _ type: __socket_type, _ address: Address
  ) throws -> FileDescriptor {
    let flags = Int32(SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
    let number = socket(domain, Int32(type.rawValue) | flags, 0)
    var address = address
    let failed = unsafe withUnsafeMutableBytes(of: &address.storage) { raw in
      let generic = unsafe raw.baseAddress!.assumingMemoryBound(to: sockaddr.self)
      return unsafe bind(number, generic, socklen_t(address.size)) != 0
    }
    let listens = type.rawValue == SOCK_STREAM.rawValue
    guard number >= 0, !failed, !listens || listen(number, 4096) == 0 else {
      throw ProbeError("No socket: errno \(errno).")
    }
    return FileDescriptor(adopting: number)
  }

  private static func port(of socket: Int32) throws -> UInt16 {
    var address = sockaddr_in()
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let failed = unsafe withUnsafeMutableBytes(of: &address) { raw in
      let generic = unsafe raw.baseAddress!.assumingMemoryBound(to: sockaddr.self)
      return unsafe getsockname(socket, generic, &size) != 0
    }
    guard !failed else { throw ProbeError("No port: errno \(errno).") }
    return UInt16(bigEndian: address.sin_port)
  }
}
