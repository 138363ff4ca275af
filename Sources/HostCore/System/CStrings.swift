import Glibc

/// Lists of C strings, paths among them, as `execve` and similar functions take them.
enum CStrings {
  /// Passes `body` a null-terminated array of null-terminated strings, valid during the call.
  static func withPointers<Result>(
    to strings: [String], _ body: (UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>) -> Result
  ) -> Result {
    var pointers = unsafe strings.map { unsafe $0.withPath { unsafe strdup($0) } } + [nil]
    // An index, because swift-format runs the words of `for unsafe word` together.
    defer { for index in unsafe pointers.indices { unsafe free(pointers[index]) } }
    return unsafe pointers.withUnsafeMutableBufferPointer { unsafe body($0.baseAddress!) }
  }
}
