/// The program that becomes a worker.
package enum WorkerProgram {
  /// Runs this process as a worker until its host closes the connection.
  ///
  /// The process must have just started, with one thread. It has the descriptors of `WorkerEntry`.
  ///
  /// - Parameter arguments: those of the process, without the program's name.
  package static func run(_ arguments: [String]) -> Never {
    do throws(SystemError) {
      guard arguments == WorkerEntry.arguments else {
        try WorkerMain.tellVersion()
        Exit.now(failure)
      }
      guard let worker = try WorkerMain() else { Exit.now(failure) }
      try worker.run()
      Exit.now(0)
    } catch {
      // If standard error is closed, nobody can be told.
      try? Descriptor.write(Descriptor.standardError, Array("worker: \(error)\n".utf8).span)
      Exit.now(failure)
    }
  }

  /// `EX_SOFTWARE` of sysexits.h, vmhost's status for an internal error.
  private static let failure: Int32 = 70
}
