/// The value as a type that it is known to have, where generic code can't name that type.
///
/// `as?` would look up the type `Optional<Target>` at run time, which is slow, even where it isn't
/// reached.
@inline(__always)
package func sameType<Value, Target>(_ value: Value, as type: Target.Type) -> Target {
  precondition(Value.self == Target.self, "\(Value.self) is not \(Target.self)")
  return unsafe unsafeBitCast(value, to: type)
}
