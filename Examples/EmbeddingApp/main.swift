import HostCore

/// A row of the list, as much of it as this app shows.
struct Movie: Decodable {
  let title: String
  let releaseDate: String
}

// Usage: embedding-app [--in-process] QUERY
let words = CommandLine.arguments.dropFirst()
let query = words.last ?? ""

// The plugin lies beside this executable, and so does the program of its process.
let host = Host(isolation: words.contains("--in-process") ? .inProcess : .confined)
let session = try await host.session(plugins: ["movies.so"])
let list = try await session.open("movies.list")

// Taken before anything is sent, so that nothing is missed.
let outputs = list.outputs()
let reading = Task {
  for try await output in outputs where output.name != "items" { print(output) }
}

do {
  try await list.send("didSearch", query)
  try await session.idle()
} catch {
  // A plugin that crashes ends its session, not the app; `error` says what it was at.
  print(error)
}
let movies = try list.frame.decode("items", as: [Movie].self)
await session.close()
try await reading.value

print("\(movies.count) found")
for movie in movies { print("\(movie.title) – \(movie.releaseDate)") }
