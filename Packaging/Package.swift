// swift-tools-version: 6.2
import PackageDescription

// The package that is installed with vmhost: what plugins and apps in Swift depend on. Unlike the
// package of the repository, it builds no sample and only the program of workers, and leaves
// warnings as warnings, since a later compiler may have others.
let package = Package(
  name: "vmhost",
  products: [
    .executable(name: "vmhost-worker", targets: ["vmhost-worker"]),
    .library(name: "HostCore", targets: ["HostCore"]),
    .library(name: "ViewModelKit", targets: ["ViewModelKit"]),
    .library(name: "ViewModelKitFoundation", targets: ["ViewModelKitFoundation"]),
    .library(name: "PluginABI", targets: ["PluginABI"]),
  ],
  targets: [
    .target(name: "PluginABI"),
    .target(name: "Basics"),
    .target(name: "ByteScan"),
    .target(name: "CanonicalJSON", dependencies: ["Basics", "ByteScan"]),
    .target(name: "ViewModelKit", dependencies: ["PluginABI", "CanonicalJSON", "Basics"]),
    .target(name: "ViewModelKitFoundation", dependencies: ["CanonicalJSON"]),
    .target(name: "HostShims"),
    .target(
      name: "HostCore", dependencies: ["PluginABI", "CanonicalJSON", "Basics", "HostShims"]),
    .target(name: "WorkerSymbols", dependencies: ["HostShims"]),
    .executableTarget(name: "vmhost-worker", dependencies: ["HostCore", "WorkerSymbols"]),
  ],
  swiftLanguageModes: [.v6],
  cLanguageStandard: .c11
)

for target in package.targets {
  target.swiftSettings = [
    .strictMemorySafety(),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
  ]
}
