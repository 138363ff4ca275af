/// Ties a value of a model to the field that shows it, both ways.
///
/// What the user enters becomes the value, and each value that is set is shown. A change of either
/// side reaches the other once and never comes back: only the input is read, and only the state is
/// written. An entry is shown again too, so that the field has the value and not its raw text.
///
/// Make it in `start`, where handlers capture it and are let go when the instance ends. If a view
/// model stores it, `show` must not capture the view model.
@ViewModelActor public final class TwoWayBinding<Value, Shown: Codable & Sendable> {
  private var stored: Value
  private let field: State<Shown>
  private let show: @ViewModelActor (Value) -> Shown?
  private var isBound = false

  /// Makes one that neither listens nor shows until `bind`.
  ///
  /// `read` says what the user's entry means; `show` what the field has for a value, where nil
  /// leaves the field as it is.
  public init(
    _ first: Value, input: Input<Shown>, field: State<Shown>,
    read: @escaping @ViewModelActor (Shown) -> Value,
    show: @escaping @ViewModelActor (Value) -> Shown?
  ) {
    stored = first
    self.field = field
    self.show = show
    input.on { entry in
      if self.isBound { self.value = read(entry) }
    }
  }

  /// The model's value. Once bound, each set is shown, also an equal one.
  ///
  /// In a cancelled run a set does nothing.
  public var value: Value {
    get { stored }
    set {
      if let instance = field.instance, !instance.mayEmit { return }
      stored = newValue
      if isBound { showValue() }
    }
  }

  /// Begins to listen and to show, with the value that there is. Again, it only shows the value.
  public func bind() {
    isBound = true
    showValue()
  }

  private func showValue() {
    if let shown = show(stored) { field.value = shown }
  }
}
