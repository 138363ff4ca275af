import Foundation

// The host may go while an answer is being written: a failed write says so, and ends the process.
signal(SIGPIPE, SIG_IGN)

do {
  let limit = try Worker.bodyLimit(in: ProcessInfo.processInfo.environment)
  let output = MessageOutput()
  if CommandLine.arguments.dropFirst().first == Worker.argument {
    Worker(output: output, bodyLimit: limit).run()
  } else {
    Provider(output: output).run()
  }
} catch {
  FileHandle.standardError.write(Data("vmhost-http: \(error.message)\n".utf8))
  exit(2)
}
