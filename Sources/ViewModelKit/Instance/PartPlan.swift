@_spi(Reflection) import Swift

/// Where the parts of a view model are in its memory, so that an instance needs no Mirror.
///
/// There is a plan only for a class in which each part is in a property of a part's own class, and
/// no other property could ever have one. An instance follows it if these properties have exactly
/// the parts that were made, in order. So nothing is read but references, and each of them is only
/// compared with one that is held.
@ViewModelActor struct PartPlan {
  private struct Place {
    let name: [UInt8]
    /// In bytes, from the beginning of the object.
    let offset: Int
  }

  private var places: [Place] = []

  /// - Parameter type: the class of the view model.
  /// - Returns: nil if only Mirror can tell.
  init?(of type: AnyClass) {
    var places: [Place] = []
    // This is `classType`, which is a variable.
    let options = _EachFieldOptions(rawValue: 1)
    let isClear = unsafe _forEachField(of: type, options: options) { name, offset, type, kind in
      guard type is ViewModelPart.Type else { return !Self.mayHavePart(type, kind) }
      places.append(Place(name: unsafe Array(String(cString: name).utf8), offset: offset))
      return true
    }
    guard isClear else { return nil }
    self.places = places
  }

  /// Whether a value of this type, which is no part's own class, may be a part. Mirror finds one in
  /// an optional, and one whose property has a protocol's type.
  private static func mayHavePart(_ type: Any.Type, _ kind: _MetadataKind) -> Bool {
    switch kind {
    case .class: type is ViewModelPart.Type
    case .struct, .enum, .tuple, .function: false
    case .optional:
      if let optional = type as? any OptionalValue.Type {
        unsafe !_forEachField(of: optional.holder) { !mayHavePart($2, $3) }
      } else {
        true
      }
    case _: true
    }
  }

  /// Whether the parts that were made are where they should be.
  func holds(for model: AnyObject, made: borrowing [ViewModelPart]) -> Bool {
    guard made.count == places.count else { return false }
    let address = unsafe UnsafeRawPointer(Unmanaged.passUnretained(model).toOpaque())
    for index in places.indices {
      let part = unsafe Unmanaged.passUnretained(made[index]).toOpaque()
      let offset = places[index].offset
      guard unsafe address.load(fromByteOffset: offset, as: UInt.self) == UInt(bitPattern: part)
      else { return false }
    }
    return true
  }

  /// Names the parts of an instance for which the plan holds.
  func name(_ parts: [ViewModelPart]) {
    for index in places.indices { parts[index].name = places[index].name }
  }
}

/// The only property of this has a wanted type, whose kind reflection tells.
private struct Holder<Value> {
  let value: Value
}

private protocol OptionalValue {
  static var holder: Any.Type { get }
}

extension Optional: OptionalValue {
  fileprivate static var holder: Any.Type { Holder<Wrapped>.self }
}
