/// How the host starts the program that becomes a worker.
package enum WorkerEntry {
  /// The first argument of a worker. The version of its host's protocol follows.
  package static let argument = "__worker"
  /// All arguments of a worker.
  package static var arguments: [String] { [argument, String(WorkerMessage.version)] }

  /// The descriptors that the host gives a worker.
  package static let socket: Int32 = 3
  package static let image: Int32 = 4
  package static let buffer: Int32 = 5
}
