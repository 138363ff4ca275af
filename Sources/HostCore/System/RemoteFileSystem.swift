import HostShims

/// File systems on which other machines, or other programs, change files without notice.
enum RemoteFileSystem {
  /// Their names by their types, as statfs(2) and `linux/magic.h` have them.
  static let names: [Int64: String] = [
    0x6969: "NFS", 0x517b: "SMB", 0xff53_4d42: "SMB", 0xfe53_4d42: "SMB", 0x0102_1997: "9P",
    0x6573_5546: "FUSE", 0x00c3_6400: "Ceph", 0x5346_414f: "AFS", 0x0bd0_0bd0: "Lustre",
    0x7372_7279: "HGFS", 0x786f_4256: "VirtualBox",
  ]

  /// The name of the one that a path is on; nil if it is on a disk of this machine.
  static func name(of path: String) -> String? {
    names[type(of: path)]
  }

  /// The type of the file system that a path is on; -1 if there is nothing at the path.
  static func type(of path: String) -> Int64 {
    unsafe path.withPath { unsafe host_file_system($0) }
  }
}
