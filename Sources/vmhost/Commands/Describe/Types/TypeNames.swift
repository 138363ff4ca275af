/// The names of types in one file, each for one type.
struct TypeNames {
  private var taken: Set<String>
  /// The last number of each name that several types would have.
  private var numbers: [String: Int] = [:]

  /// - Parameter reserved: names that have another meaning in the file.
  init(reserved: some Sequence<String>) { taken = Set(reserved) }

  /// A name made of words, such as `MoviesListItems`; with a number if another type has it.
  mutating func unique(_ words: [String]) -> String {
    let name = Self.name(words)
    var candidate = name
    while !taken.insert(candidate).inserted {
      numbers[name, default: 1] += 1
      candidate = "\(name)\(numbers[name, default: 1])"
    }
    return candidate
  }

  /// The words in one, each beginning with a capital. What isn't an ASCII letter or digit separates
  /// words.
  static func name(_ words: [String]) -> String {
    let parts = words.flatMap { word in
      word.split { !($0.isASCII && ($0.isLetter || $0.isNumber)) }
    }
    let name = parts.map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
    guard let first = name.first else { return "Value" }
    return first.isNumber ? "Value\(name)" : name
  }
}
