import Testing

@testable import Cart

struct CartTests {
  @Test func `the total counts each line as often as it was added`() {
    var cart = Cart()
    cart.add("tea", price: 350)
    cart.add("tea", price: 350)
    cart.add("milk", price: 120)
    #expect(cart.total == 820)
    #expect(cart.lines.map(\.count) == [2, 1])
  }
}
