import Glibc

/// Starts a process as the leader of a group of its own, with the default signal handling.
func spawn(
  _ executable: String, _ arguments: [String], environment: [String: String],
  workingDirectory: String?, pipes: ChildStreams.Pipes
) throws -> pid_t {
  var actions = unsafe posix_spawn_file_actions_t()
  var attributes = posix_spawnattr_t()
  var codes: [Int32] = []
  unsafe codes.append(posix_spawn_file_actions_init(&actions))
  unsafe codes.append(posix_spawnattr_init(&attributes))
  defer {
    _ = unsafe posix_spawn_file_actions_destroy(&actions)
    _ = unsafe posix_spawnattr_destroy(&attributes)
  }
  for (target, end) in [pipes.childInput, pipes.childOutput, pipes.childError].enumerated() {
    unsafe codes.append(
      posix_spawn_file_actions_adddup2(&actions, end.number, Int32(target)))
  }

  var all = sigset_t()
  var none = sigset_t()
  unsafe codes.append(sigfillset(&all))
  unsafe codes.append(sigemptyset(&none))
  unsafe codes.append(posix_spawnattr_setsigdefault(&attributes, &all))
  unsafe codes.append(posix_spawnattr_setsigmask(&attributes, &none))
  unsafe codes.append(posix_spawnattr_setpgroup(&attributes, 0))
  let flags = POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK
  unsafe codes.append(posix_spawnattr_setflags(&attributes, Int16(flags)))

  // Swift can't see `posix_spawn_file_actions_addchdir_np`; `env` changes the folder and then
  // becomes the executable.
  var command = [executable] + arguments
  if let workingDirectory {
    command = ["/usr/bin/env", "--chdir=\(workingDirectory)"] + command
  }
  var processID = pid_t()
  if codes.allSatisfy({ $0 == 0 }) {
    let code = unsafe withCStrings(command) { argv in
      unsafe withCStrings(environment.map { "\($0)=\($1)" }) { envp in
        unsafe posix_spawn(&processID, command[0], &actions, &attributes, argv, envp)
      }
    }
    codes.append(code)
  }
  if let code = codes.first(where: { $0 != 0 }) {
    throw TestSupportError("Could not start \(executable): \(errorText(code)).")
  }
  return processID
}

/// Gives `body` a null-terminated array of C strings.
private func withCStrings<Result>(
  _ strings: [String],
  _ body: (UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>) -> Result
) -> Result {
  var pointers = unsafe strings.map { unsafe strdup($0) } + [nil]
  defer {
    for index in unsafe pointers.indices { unsafe free(pointers[index]) }
  }
  return unsafe pointers.withUnsafeMutableBufferPointer { unsafe body($0.baseAddress!) }
}
