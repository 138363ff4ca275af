import HostCore

/// The name of a new project, and what is called by it.
struct ProjectName {
  /// As it was given: the folder, the plugin, and its library.
  let text: String

  private static let maxLength = 64
  /// The reserved words of Swift, C, C++ and Rust, in lowercase.
  private static let reserved = Set(
    """
    abstract actor alignas alignof alloc and any as asm associatedtype async auto await become \
    bitand bitor bool box break case catch char class compl concept const const_cast consteval \
    constexpr constinit continue core co_await co_return co_yield crate decltype default defer \
    deinit delete do double dyn dynamic_cast else enum explicit export extension extern \
    fallthrough false fileprivate final float fn for foundation friend func gen glibc goto guard \
    if impl import in indirect init inline inout int internal is let long loop macro match mod \
    module move mut mutable namespace new nil noexcept not nullptr open operator or override \
    package priv private proc_macro protected protocol pub public ref register reinterpret_cast \
    repeat requires rethrows return self short signed sizeof static static_assert static_cast std \
    struct subscript super swift switch template test testing this thread_local throw throws \
    trait true try type typealias typedef typeid typename typeof union unsigned unsized \
    use using var virtual void volatile wchar_t where while xor yield unsafe
    """.split(separator: " ").map(String.init))

  init(_ text: String) throws(Failure) {
    let isMade = text.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
        true
      default: false
      }
    }
    guard isMade, text.utf8.count <= Self.maxLength, let first = text.first, first.isLetter else {
      let folder = text.contains("/") ? " The folder that it goes into is --folder DIR." : ""
      throw Failure(
        .usage,
        "\"\(text.prefix(200))\" can't be the name of a project: a name begins with a letter, and "
          + "has letters (A to Z), digits, \"-\" and \"_\" only, "
          + "at most \(Self.maxLength).\(folder)")
    }
    self.text = text
    guard !Self.reserved.contains(identifier) else {
      throw Failure(
        .usage,
        "\"\(text)\" can't be the name of a project: it is a reserved word of Swift, C, C++ or "
          + "Rust. \"my-\(text)\" can.")
    }
  }

  /// The module in Swift: `my-cart` makes `MyCart`.
  var module: String {
    text.split { $0 == "-" || $0 == "_" }.map { $0.prefix(1).uppercased() + $0.dropFirst() }
      .joined()
  }

  /// The crate in Rust: `my-cart` makes `my_cart`.
  var identifier: String {
    String(text.lowercased().map { $0 == "-" ? "_" : $0 })
  }
}
