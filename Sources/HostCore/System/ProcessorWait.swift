/// How long a worker, and the thread of the host that waits for it, have waited for a processor
/// while they could have run. It is 0 where that isn't known.
package struct ProcessorWait {
  var worker: Nanoseconds = 0
  var host: Nanoseconds = 0

  var sum: Nanoseconds { worker + host }

  /// Reads it from a file of the kernel's: the time on a processor, the time waiting for one, in
  /// nanoseconds, and the number of its turns. Returns 0 if the kernel doesn't count.
  static func read(_ path: String) -> Nanoseconds {
    let fields = (try? Files.read(path, limit: 256))?.split(separator: UInt8(ascii: " ")) ?? []
    return fields.count == 3 ? Nanoseconds(String(decoding: fields[1], as: UTF8.self)) ?? 0 : 0
  }
}
