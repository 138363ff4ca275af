/// A set of small numbers that spends one bit on each: a long session may cancel very many
/// requests.
struct NumberSet {
  private var words: [UInt64] = []

  func contains(_ number: UInt64) -> Bool {
    let index = number / 64
    return index < UInt64(words.count) && words[Int(index)] >> (number % 64) & 1 == 1
  }

  mutating func insert(_ number: UInt64) {
    let index = Int(number / 64)
    while words.count <= index { words.append(0) }
    words[index] |= 1 << (number % 64)
  }
}
