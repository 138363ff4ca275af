/// How the host starts the program that becomes a worker.
package enum WorkerEntry {
  /// The first argument of a worker. The arguments of its confinement follow.
  package static let argument = "__worker"

  /// The descriptors that the host gives a worker.
  package static let socket: Int32 = 3
  package static let image: Int32 = 4
  package static let buffer: Int32 = 5
}
