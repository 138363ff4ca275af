/// Shortens the text of a backtrace to the useful part.
enum BacktraceText {
  /// Removes the platform, the name of the only thread, the frames below the call into the plugin,
  /// and the time that the backtrace took.
  ///
  /// - Parameters:
  ///   - isOfHang: whether to remove the headline too, since only our signal caused a crash.
  ///   - host: the file name of the program that called the plugin. A trace that starts in the host
  ///     stays whole, since the error is there.
  static func shortened(
    _ lines: ArraySlice<String>, isOfHang: Bool, host: String
  ) -> [String] {
    let lines = withoutRefusal(lines, host)
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

  /// Removes the frames of the function that ends a worker where confinement refuses a call. That
  /// is no error of the host.
  private static func withoutRefusal(
    _ lines: ArraySlice<String>, _ host: String
  ) -> ArraySlice<String> {
    guard let first = lines.firstIndex(where: isFrame), lines[first].contains(refusal) else {
      return lines
    }
    let end = lines[first...].firstIndex { isFrame($0) && image(of: $0) != host[...] }
    return lines[..<first] + lines[(end ?? lines.endIndex)...]
  }

  private static let refusal = " worker_trap + "

  /// Whether a line is a frame, such as `  0 broken_send + 133 in libbroken.so at
  /// instance.c:295:53`. A line of source looks similar, but has a bar after its number.
  private static func isFrame(_ line: String) -> Bool {
    let words = line.split(separator: " ", maxSplits: 1)
    return words.count == 2 && line.hasPrefix(" ") && Int(words[0]) != nil && image(of: line) != nil
  }

  /// The file name after the "in" that follows the offset. A closure's name also has an "in".
  private static func image(of frame: String) -> Substring? {
    let words = frame.split(separator: " ")
    let candidates = words.indices.filter { words[$0] == "in" && $0 + 1 < words.count }
    let index = candidates.first { $0 > 1 && words[$0 - 2] == "+" } ?? candidates.first
    return index.map { words[$0 + 1] }
  }
}
