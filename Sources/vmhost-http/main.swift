import Foundation

// The host may end while an answer is being written. Then the write fails, and this process ends.
signal(SIGPIPE, SIG_IGN)

do {
  let limit = try FetchProcess.bodyLimit(in: ProcessInfo.processInfo.environment)
  let output = MessageOutput()
  if CommandLine.arguments.dropFirst().first == FetchProcess.argument {
    FetchProcess(output: output, bodyLimit: limit).run()
  } else {
    Provider(output: output).run()
  }
} catch {
  FileHandle.standardError.write(Data("vmhost-http: \(error.message)\n".utf8))
  exit(2)
}
