// Writing the session so far as a transcript: its history is played again and recorded.
extension ScriptInterpreter {
  /// Writes the session so far to a new file, as a transcript.
  ///
  /// - Returns: how many steps that are.
  package func save(
    to path: String, headers: [String], isInterrupted: () -> Bool
  ) throws -> Int {
    let history = try savedHistory()
    let recorder = try TranscriptRecorder(
      path: path, secrets: session.secrets, headers: headers, clock: driver.clock)
    do {
      try record(history, with: recorder, isInterrupted: isInterrupted)
    } catch {
      try? Files.remove(path)
      throw error
    }
    return history.steps
  }

  /// The session so far, as a transcript that could lie in the current folder.
  func transcript(isInterrupted: () -> Bool) throws -> [UInt8] {
    let history = try savedHistory()
    let recorder = try TranscriptRecorder(
      inMemoryAs: "session.vmt", secrets: session.secrets, clock: driver.clock)
    try record(history, with: recorder, isInterrupted: isInterrupted)
    return try recorder.content()
  }

  private func savedHistory() throws -> SessionHistory {
    try driver.finishDelivery()
    let history = try keptHistory()
    guard history.steps > 0 else {
      throw ScriptError("there is no step to save.", at: .subject, code: .unsupported)
    }
    return history
  }

  private func record(
    _ history: SessionHistory, with recorder: TranscriptRecorder, isInterrupted: () -> Bool
  ) throws {
    let (replay, _) = try repeated(history, recorder: recorder, isInterrupted: isInterrupted)
    try replay.driver.finishSession()
  }
}
