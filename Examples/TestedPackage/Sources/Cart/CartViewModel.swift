public import ViewModelKit

/// A shopping cart that is sent to a shop.
final class CartViewModel: ViewModel {
  static let id = "cart.cart"

  struct Item: Codable, Sendable {
    let name: String
    /// In cents.
    let price: Int
  }

  /// Send when something is put into the cart.
  let add = Input<Item>()
  /// Send when the user orders.
  let order = Input<NoValue>()

  let lines = State<[Cart.Line]>([])
  /// In cents.
  let total = State(0)
  let isOrdering = State(false)
  /// Emits the number of the order.
  let ordered = Signal<Int>()

  let http = HTTP()
  let ordering = Work(.ignoreWhileBusy)

  private struct Order: Codable, Sendable {
    let number: Int
  }

  func start(_ context: Context<NoConfig>) {
    var cart = Cart()
    add.on { item in
      cart.add(item.name, price: item.price)
      self.lines.value = cart.lines
      self.total.value = cart.total
    }
    order.start(ordering) {
      self.isOrdering.value = true
      let response = try await self.http.get("https://shop.example/order?total=\(cart.total)")
      self.ordered.emit(try response.decode(Order.self).number)
      self.isOrdering.value = false
    }
  }
}

let plugin = Plugin(id: "cart", version: "1.0.0", CartViewModel.self)

@c(vm_plugin_entry_v1) public func pluginEntry() -> PluginEntry { plugin.entry }
