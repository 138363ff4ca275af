import TestSupport

/// A plugin that is compiled with a change, and the transcripts of the one without.
enum ShopPlugin {
  /// Compiles it into a folder, as `shop.so`.
  ///
  /// - Parameter change: what the macros in its source are called behind `CHANGE_`; empty for none.
  static func compile(
    _ change: String, into folder: String, _ options: [String] = []
  ) async throws {
    let root = try Repository.root()
    try await Compiler.c.make(
      "\(folder)/shop.so",
      [
        "-std=c11", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC", "-DCHANGE_\(change)=1",
        "-I", "\(root)/Sources/PluginABI/include", "\(root)/Tests/Fixtures/ShopPlugin/shop.c",
      ] + options)
  }

  static let transcript = """
    vmt 1
    @plugin shop.so
    @open shop
    < items []
    < total 0
    > search "tea"
    ? 1 http {"url":"/search?q=tea"}
    # The best ones.
    ! 1 ["green","black"]
    < items ["green","black"]
    < total 2
    > select "green"
    < opened "green"
    ? 2 http {"url":"/item/green"}
    ! 2 {"price":3}
    < opened {"price":3}
    + 2s
    > clear
    < items []
    < total 0

    """

  /// With a flow that opens an item where one is selected.
  static let flowTranscript = """
    vmt 1
    @plugin shop.so
    @flow shop.json
    @open shop
    < shop.items []
    < shop.total 0
    > shop.select "green"
    < shop.opened "green"
    ? shop.1 http {"url":"/item/green"}
    < item.price 0
    ? item.1 http {"url":"/price"}
    ! item.1 7
    < item.price 7
    > item.buy
    < item.price 1
    ! shop.1 null
    < shop.opened null

    """
  static let flow = """
    {
      "start": { "open": "shop" },
      "on": { "shop.opened": { "open": "item", "unlessOpen": true } }
    }
    """
}
