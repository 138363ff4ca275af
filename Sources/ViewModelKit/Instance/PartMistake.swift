/// Why a view model's parts can't be what its author wrote.
struct PartMistake: Error, Equatable, CustomStringConvertible {
  let description: String

  /// Parts that are held in a value of many, or of one of several forms.
  enum Holder: String {
    case array = "an array"
    case dictionary = "a dictionary"
    case set = "a set"
    case tuple = "a tuple"
    case `enum` = "an enum"
  }

  static func held(_ part: ViewModelPart, at path: String, in holder: Holder) -> PartMistake {
    PartMistake(
      description: "\(path) is \(named(part)) in \(holder.rawValue), where the kit doesn't find"
        + " it. Give each part a stored property of its own, or use one port whose value has"
        + " everything")
  }

  static func lazy(_ type: ViewModelPart.Type, at path: String) -> PartMistake {
    PartMistake(
      description: "\(path) is lazy, so it would be made too late."
        + " Write \"let \(lastName(path)) = \(type)(…)\"")
  }

  /// For a part that was there before the view model was.
  static func shared(_ part: ViewModelPart, at path: String) -> PartMistake {
    PartMistake(
      description: "\(path) is \(named(part)) that was made earlier, such as a static or global"
        + " one. Each instance needs its own: write \(declaration(part, lastName(path)))")
  }

  /// For a part that `init` made and no property has.
  static func lost(_ part: ViewModelPart) -> PartMistake {
    PartMistake(
      description: "its init makes \(named(part)) that is in none of its stored properties, such"
        + " as a local, static or captured one. Write \(declaration(part)) as a stored property")
  }

  /// For a part that `start` or a handler makes.
  static func late(_ part: ViewModelPart, in code: String) -> PartMistake {
    PartMistake(
      description: "\(code) makes \(named(part)), which is too late: the kit finds what stored"
        + " properties hold after init, so a part can't be lazy, computed, static or local."
        + " Write \(declaration(part)) as a stored property")
  }

  static func sameName(
    _ name: String, _ kind: String, _ first: String, _ second: String
  ) -> PartMistake {
    let places =
      first == second
      ? "a property \(first) and one of its superclass" : "\(first) and \(second)"
    return PartMistake(
      description: "\(places) would both be the \(kind) \"\(name)\". Rename one of them")
  }

  static func changed(now: [String], before: [String]) -> PartMistake {
    let (now, before) = (now.joined(separator: ", "), before.joined(separator: ", "))
    return PartMistake(
      description: "its init makes other parts (\(now)) than for the manifest (\(before)). Make"
        + " the same parts each time")
  }

  /// Such as `a State<Int>`.
  private static func named(_ part: ViewModelPart) -> String {
    let type = "\(type(of: part))"
    return (type.first.map("AEIOUH".contains) ?? false ? "an " : "a ") + type
  }

  private static func declaration(_ part: ViewModelPart, _ name: String = "NAME") -> String {
    "\"let \(name) = \(type(of: part))(…)\""
  }

  private static func lastName(_ path: String) -> String {
    path.split(separator: ".").last.map(String.init) ?? path
  }
}
