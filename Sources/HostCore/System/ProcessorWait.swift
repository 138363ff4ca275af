/// How long a thread has waited for a processor while it could have run.
enum ProcessorWait {
  /// Reads it from a file of the kernel's: the time on a processor, the time waiting for one, in
  /// nanoseconds, and the number of its turns. Returns 0 if the kernel doesn't count.
  static func read(_ path: String) -> Nanoseconds {
    let fields = (try? Files.read(path, limit: 256))?.split(separator: UInt8(ascii: " ")) ?? []
    return fields.count == 3 ? Nanoseconds(String(decoding: fields[1], as: UTF8.self)) ?? 0 : 0
  }
}
