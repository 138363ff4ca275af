import HostCore

// Starts many workers one after another, ends each in one of several ways, and tells what this
// process holds before the first and after each tenth of them. Nothing should grow.
//
//   worker-soak COUNT WORKER PLUGINS
//
// WORKER is a vmhost, PLUGINS the folder of `libecho.so` and `libbrokenfixture.so`. It uses the
// present folder, in which nothing may stay behind. One line a tenth on standard out:
//
//   workers 200 descriptors 7 threads 2 children 0 files 1 mappings 80 allocated 91234 …

func say(_ text: String) throws {
  try Descriptor.write(Descriptor.standardOutput, Array("\(text)\n".utf8).span)
}

guard CommandLine.arguments.count == 4, let count = Int(CommandLine.arguments[1]), count >= 10
else {
  try say("usage: worker-soak COUNT WORKER PLUGINS, COUNT at least 10")
  Exit.now(64)
}

do {
  let soak = try Soak(worker: CommandLine.arguments[2], plugins: CommandLine.arguments[3])
  // What the first workers set up for all is no loss.
  for index in 0..<Soak.endings.count { try soak.run(index) }
  try say("workers 0 \(try Inventory())")
  for index in 0..<count {
    try soak.run(index)
    if (index + 1) % (count / 10) == 0 { try say("workers \(index + 1) \(try Inventory())") }
  }
} catch {
  try say("worker-soak: \(error)")
  Exit.now(1)
}
