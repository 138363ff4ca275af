/// A backtrace as text, and what of it is worth reading.
enum BacktraceText {
  /// Leaves out the platform, the only thread's name, the frames below the call into the plugin,
  /// and how long it took.
  ///
  /// - Parameters:
  ///   - isOfHang: the headline, too, is left out: nothing crashed but for our signal.
  ///   - host: the file name of the program that called the plugin. A trace that begins in it is
  ///     left whole: then the error is there.
  static func shortened(
    _ lines: ArraySlice<String>, isOfHang: Bool, host: String
  ) -> [String] {
    let frames = lines.indices.filter { isFrame(lines[$0]) }
    let isHost = { (index: Int) in image(of: lines[index]) == host[...] }
    let end = frames.first.map(isHost) == false ? frames.first(where: isHost) : nil
    var kept: [String] = []
    for line in lines[..<(end ?? lines.endIndex)] {
      if line.hasPrefix(Backtracer.lastLine) { break }
      if line.hasPrefix("Platform: ") || line.hasPrefix("Thread ") { continue }
      if isOfHang && line.hasPrefix("*** Program crashed: ") { continue }
      if line.isEmpty && kept.last?.isEmpty ?? true { continue }
      let blanks = line.reversed().prefix { $0 == " " }.count
      kept.append(String(line.dropLast(blanks)))
    }
    if kept.last?.isEmpty == true { kept.removeLast() }
    return kept
  }

  /// As in `  0 broken_send + 133 in libbroken.so at instance.c:295:53`. A line of source looks
  /// alike, but has a bar behind its number.
  private static func isFrame(_ line: String) -> Bool {
    let words = line.split(separator: " ", maxSplits: 1)
    return words.count == 2 && line.hasPrefix(" ") && Int(words[0]) != nil && image(of: line) != nil
  }

  /// The file name behind the "in" that follows the offset: a closure's name has an "in" too.
  private static func image(of frame: String) -> Substring? {
    let words = frame.split(separator: " ")
    let places = words.indices.filter { words[$0] == "in" && $0 + 1 < words.count }
    let place = places.first { $0 > 1 && words[$0 - 2] == "+" } ?? places.first
    return place.map { words[$0 + 1] }
  }
}
