// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "cart",
  products: [.library(name: "cart", type: .dynamic, targets: ["Cart"])],
  dependencies: [.package(name: "vmhost", path: "../..")],
  targets: [
    .target(name: "Cart", dependencies: [.product(name: "ViewModelKit", package: "vmhost")]),
    .testTarget(
      name: "CartTests",
      dependencies: [
        "Cart",
        .product(name: "HostCore", package: "vmhost"),
        // What becomes the plugin's process; it is built beside the tests.
        .product(name: "vmhost-worker", package: "vmhost"),
      ],
      exclude: ["Transcripts"]),
  ])
