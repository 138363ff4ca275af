extension Session {
  /// Records the session in a file, as a transcript that plays it again and tests it.
  ///
  /// What reaches plugins is in the file before they see it, without secrets. The file is complete
  /// once the session is closed; it is removed if nothing has happened by then.
  ///
  /// - Parameters:
  ///   - path: where the file goes. It must not exist yet.
  ///   - headers: names of response headers to keep besides the ordinary ones, as in
  ///     `x-total-count`.
  /// - Throws: a `HostError` of the code `invalid` if an instance has been opened already, if the
  ///   session is being recorded, or if the file is there or can't be made. A recording that can't
  ///   be written later ends the session with `system`.
  public func record(to path: String, keeping headers: [String] = []) async throws(HostError) {
    try await perform { thread throws(HostError) in
      try thread.record(to: path, keeping: headers)
    }
  }
}
