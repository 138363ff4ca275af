import HostCore

let arguments = Array(ProgramArguments.all.dropFirst())
if arguments.first == WorkerEntry.argument { WorkerProgram.run(arguments) }
let text = "vmhost-worker: apps that use HostCore start it, for each confined plugin.\n"
// If standard error is closed, nobody can be told.
try? Descriptor.write(Descriptor.standardError, Array(text.utf8).span)
Exit.now(2)
