/// Takes note of the parts that a piece of the author's code makes.
///
/// A part is heard only if the kit finds it in a stored property. Any other would be silent, so the
/// kit has to know of each that is made.
@ViewModelActor enum Making {
  /// The parts made so far by the code that is watched; nil if none is.
  private static var parts: [ViewModelPart]?

  /// Runs the code, and returns the parts that it made as well.
  ///
  /// - Parameter count: how many there may be.
  static func watch<Result>(
    count: Int = 0, _ body: () throws -> Result
  ) rethrows -> (Result, [ViewModelPart]) {
    let outer = parts
    parts = []
    parts?.reserveCapacity(count)
    defer { parts = outer }
    let result = try body()
    return (result, parts ?? [])
  }

  /// Notes a part. One that a handler makes is a fault of what is being handled.
  static func note(_ part: ViewModelPart) {
    guard parts == nil else {
      parts?.append(part)
      return
    }
    guard let instance = Image.current else { return }
    instance.fault(instance.cause, PartMistake.late(part, in: "it"))
  }
}
