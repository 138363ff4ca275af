import HostCore
import InspectServer

do throws(ServerError) {
  try Server.serve(ServerLimits(arguments: Array(ProgramArguments.all.dropFirst())))
} catch {
  // If standard error is closed, nobody can be told.
  try? Descriptor.write(Descriptor.standardError, Array("vmhost-inspect: \(error)\n".utf8).span)
  Exit.now(2)
}
