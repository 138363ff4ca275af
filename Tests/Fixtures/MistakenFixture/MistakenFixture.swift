// The plugin `mistakenfixture`: a view model with one mistake of its author's. Tests write into the
// built library which one, since most keep a plugin from loading.
public import ViewModelKit

/// A mistaken view model. All have one id.
protocol Mistaken: ViewModel {}

extension Mistaken {
  static var id: String { "cart.list" }
}

/// Where tests write a choice, in place of the zeros.
private let choice: StaticString = """
  VMHOST-FIXTURE-CHOICE:\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0
  """

private let chosen: String = {
  let text = "\(choice)"
  let start = text.index(after: text.firstIndex(of: ":") ?? text.startIndex)
  return String(text[start...].prefix { $0 != "\0" })
}()

private let mistakes: [String: Plugin] = [
  "array": plugin(InArray.self), "dictionary": plugin(InDictionary.self),
  "set": plugin(InSet.self), "tuple": plugin(InTuple.self), "enum": plugin(InEnum.self),
  "lazy": plugin(IsLazy.self), "nested-lazy": plugin(NestedLazy.self),
  "init-local": plugin(LocalInInit.self), "unused": plugin(UnusedInInit.self),
  "captured": plugin(Captured.self), "static": plugin(IsStatic.self),
  "static-start": plugin(StaticInStart.self), "shared": plugin(IsShared.self),
  "computed": plugin(IsComputed.self), "late-optional": plugin(LateOptional.self),
  "handler": plugin(ComputedInHandler.self), "inputs": plugin(SameInputs.self),
  "outputs": plugin(SameOutputs.self), "super": plugin(SameAsSuper.self),
  "changing": plugin(Changing.self), "nan": plugin(NoNumber.self),
  "decimal": plugin(DecimalState.self), "url": plugin(URLInput.self),
  "data": plugin(DataSignal.self), "date": plugin(DateState.self), "uuid": plugin(UUIDReply.self),
  "config": plugin(DateConfig.self), "stored": plugin(StoredDecimal.self),
  "payload": plugin(DatePayload.self), "payload-input": plugin(DatePayloadInput.self),
]

private func plugin<Model: ViewModel>(_ model: Model.Type) -> Plugin {
  Plugin(id: "cart", version: "1.0.0", model)
}

@c(vm_plugin_entry_v1) public func pluginEntry() -> PluginEntry {
  (mistakes[chosen] ?? plugin(InArray.self)).entry
}
