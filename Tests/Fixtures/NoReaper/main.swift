import Glibc
import HostCore
import HostShims

// Runs a command COUNT times, as the first process of a container may that reaps nobody: whoever
// loses its parent becomes its child, and it waits only for the command itself. Then it says on
// standard error what is left, a line for each process: its id, its state (Z: dead) and its name.
//
//   no-reaper COUNT PROGRAM ARGUMENT…
//
// It ends with status 0 if nothing is left, 1 if something is, and 2 if the command didn't run.

func say(_ text: String) {
  // Its caller looks at the status, too.
  try? Descriptor.write(Descriptor.standardError, Array("\(text)\n".utf8).span)
}

/// Runs the command and waits for its end.
func run(_ words: [String]) -> Bool {
  var arguments = unsafe words.map { unsafe strdup($0) } + [nil]
  defer { for index in unsafe arguments.indices { unsafe free(arguments[index]) } }
  var process = pid_t()
  guard unsafe posix_spawn(&process, words[0], nil, nil, &arguments, environ) == 0 else {
    return false
  }
  return waitpid(process, nil, 0) == process
}

func children() throws -> [String] {
  try Files.names(in: "/proc/self/task").flatMap { task in
    try Files.read("/proc/self/task/\(task)/children").split(separator: UInt8(ascii: " "))
      .map { String(decoding: $0, as: UTF8.self) }
  }
}

/// "PID (NAME) STATE …", shortened to "PID STATE NAME".
func description(of child: String) throws -> String {
  let stat = String(decoding: try Files.read("/proc/\(child)/stat"), as: UTF8.self)
  let parts = stat.split(separator: ")", maxSplits: 1)
  return "\(child) \(parts[1].dropFirst().prefix(1)) \(parts[0].drop { $0 != "(" }.dropFirst())"
}

let arguments = CommandLine.arguments
guard arguments.count > 2, let count = Int(arguments[1]), host_adopt_orphans() == 0 else {
  say("usage: no-reaper COUNT PROGRAM ARGUMENT…")
  exit(2)
}
for _ in 0..<count {
  guard run(Array(arguments[2...])) else {
    say("\(arguments[2]) can't be run")
    exit(2)
  }
}
let left = try children()
for child in left { say(try description(of: child)) }
exit(left.isEmpty ? 0 : 1)
