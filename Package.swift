// swift-tools-version: 6.2
import PackageDescription

// No package dependencies, by rule: a fresh clone builds with the toolchain alone. System
// libraries (SQLite) are looked up at run time, so that their absence costs only what needs them.
let package = Package(
  name: "vmhost",
  products: [
    .executable(name: "vmhost", targets: ["vmhost"]),
    .executable(name: "vmhost-worker", targets: ["vmhost-worker"]),
    .executable(name: "vmhost-http", targets: ["vmhost-http"]),
    .executable(name: "vmhost-inspect", targets: ["vmhost-inspect"]),
    .library(name: "HostCore", targets: ["HostCore"]),
    .library(name: "ViewModelKit", targets: ["ViewModelKit"]),
    .library(name: "ViewModelKitFoundation", targets: ["ViewModelKitFoundation"]),
    .library(name: "PluginABI", targets: ["PluginABI"]),
    // Each plugin is a dynamic library of its own: `libmovies.so` and so on.
    .library(name: "movies", type: .dynamic, targets: ["MoviesPlugin"]),
    .library(name: "account", type: .dynamic, targets: ["AccountPlugin"]),
    .library(name: "echo", type: .dynamic, targets: ["EchoPlugin"]),
    .library(name: "hello", type: .dynamic, targets: ["HelloPlugin"]),
    .library(name: "stopwatch", type: .dynamic, targets: ["StopwatchPlugin"]),
    // The stages of the tutorial in Documentation/Authoring.md.
    .library(name: "tutorial1", type: .dynamic, targets: ["Tutorial1"]),
    .library(name: "tutorial2", type: .dynamic, targets: ["Tutorial2"]),
    .library(name: "tutorial3", type: .dynamic, targets: ["Tutorial3"]),
    .library(name: "tutorial4", type: .dynamic, targets: ["Tutorial4"]),
    .library(name: "tutorial5", type: .dynamic, targets: ["Tutorial5"]),
    // The examples of Documentation/Habits.md.
    .library(name: "habits", type: .dynamic, targets: ["HabitsPlugin"]),
    // Test fixtures are libraries too, because tests drive plugins only through the built `.so`.
    .library(name: "kitfixture", type: .dynamic, targets: ["KitFixture"]),
    .library(name: "determinismfixture", type: .dynamic, targets: ["DeterminismFixture"]),
    .library(name: "mistakenfixture", type: .dynamic, targets: ["MistakenFixture"]),
    .library(name: "valuesfixture", type: .dynamic, targets: ["ValuesFixture"]),
    .library(name: "confinedfixture", type: .dynamic, targets: ["ConfinedFixture"]),
    .library(name: "brokenfixture", type: .dynamic, targets: ["BrokenFixture"]),
    .library(name: "hangingfixture", type: .dynamic, targets: ["HangingFixture"]),
    .library(name: "printingfixture", type: .dynamic, targets: ["PrintingFixture"]),
    .library(name: "hostilefixture", type: .dynamic, targets: ["HostileFixture"]),
    .library(name: "forgerfixture", type: .dynamic, targets: ["ForgerFixture"]),
    .library(name: "benchmark", type: .dynamic, targets: ["BenchmarkPlugin"]),
    // `Fuzz/run` links it with libFuzzer, which brings the main function.
    .library(name: "FuzzTargets", type: .static, targets: ["FuzzTargets"]),
  ],
  targets: [
    .target(name: "PluginABI"),
    // What several of the modules below need, and none of them is about.
    .target(name: "Basics"),
    // Searches of bytes in C, with the vectors that Swift lacks.
    .target(name: "ByteScan"),
    .target(name: "CanonicalJSON", dependencies: ["Basics", "ByteScan"]),
    .target(name: "ViewModelKit", dependencies: ["PluginABI", "CanonicalJSON", "Basics"]),
    // The JSON of Foundation's types; the only one of the libraries that imports Foundation.
    .target(name: "ViewModelKitFoundation", dependencies: ["CanonicalJSON"]),
    .target(name: "HostShims"),
    .target(
      name: "HostCore", dependencies: ["PluginABI", "CanonicalJSON", "Basics", "HostShims"]),
    // Symbols that take the place of the C library's; only executables that load plugins link it.
    .target(name: "WorkerSymbols", dependencies: ["HostShims"]),
    // The HTML, CSS and JavaScript of the pages that show sessions, as bytes of a C file.
    .target(name: "Pages"),
    // The resources are files that the program carries; some are links.
    .executableTarget(
      name: "vmhost",
      dependencies: ["HostCore", "CanonicalJSON", "Basics", "WorkerSymbols", "Pages"],
      resources: [
        .embedInCode("Commands/Completions/vmhost.bash"),
        .embedInCode("Commands/Completions/vmhost.zsh"),
        .embedInCode("Commands/Describe/Types/lines.schema.json"),
        .embedInCode("Commands/New/Templates/vm_plugin.h"),
        .embedInCode("Commands/New/Templates/vm_helper.h"),
        .embedInCode("Commands/New/Templates/vm.rs"),
        .embedInCode("Commands/New/Templates/vmhost-package.txt"),
      ]),
    // What becomes a plugin's process for those who need no more of vmhost: apps, and tests of
    // plugins.
    .executableTarget(name: "vmhost-worker", dependencies: ["HostCore", "WorkerSymbols"]),
    .executableTarget(name: "vmhost-http", dependencies: ["CanonicalJSON", "Basics"]),
    // The server of a live page: a library, because a fuzzer drives its parser.
    .target(name: "InspectServer", dependencies: ["HostCore", "CanonicalJSON", "Basics"]),
    .executableTarget(name: "vmhost-inspect", dependencies: ["InspectServer", "HostCore"]),

    .target(name: "MoviesPlugin", dependencies: ["ViewModelKit"], path: "Plugins/MoviesPlugin"),
    .target(name: "AccountPlugin", dependencies: ["ViewModelKit"], path: "Plugins/AccountPlugin"),
    .target(
      name: "EchoPlugin", dependencies: ["PluginABI"], path: "Examples/EchoPlugin",
      publicHeadersPath: "."),
    .target(name: "HelloPlugin", dependencies: ["ViewModelKit"], path: "Examples/HelloPlugin"),
    .target(
      name: "StopwatchPlugin", dependencies: ["ViewModelKit"], path: "Examples/plugins/swift"),
    .target(
      name: "Tutorial1", dependencies: ["ViewModelKit"], path: "Examples/Tutorial/1-State"),
    .target(
      name: "Tutorial2", dependencies: ["ViewModelKit"], path: "Examples/Tutorial/2-Input"),
    .target(
      name: "Tutorial3", dependencies: ["ViewModelKit"], path: "Examples/Tutorial/3-Request"),
    .target(
      name: "Tutorial4", dependencies: ["ViewModelKit"], path: "Examples/Tutorial/4-Layers"),
    .target(
      name: "Tutorial5", dependencies: ["ViewModelKit"], path: "Examples/Tutorial/5-Notes"),
    .target(
      name: "HabitsPlugin", dependencies: ["ViewModelKit"], path: "Examples/Habits",
      exclude: ["Transcripts"]),
    .executableTarget(
      name: "embedding-app", dependencies: ["HostCore"], path: "Examples/EmbeddingApp"),

    // `Benchmarks/run` builds and runs these; they are in this package because what they measure
    // has `package` access.
    .executableTarget(
      name: "vmhost-benchmark", dependencies: ["HostCore", "PluginABI", "BenchmarkBaselines"],
      path: "Benchmarks/Sources"),
    .executableTarget(name: "vmhost-baseline", path: "Benchmarks/BaselineProgram"),
    .target(
      name: "BenchmarkBaselines", dependencies: ["PluginABI"], path: "Benchmarks/Baselines"),
    .target(name: "BenchmarkPlugin", dependencies: ["ViewModelKit"], path: "Benchmarks/Plugin"),

    // What `Fuzz/run` drives; here, so that the tests run it too.
    .target(
      name: "FuzzTargets", dependencies: ["HostCore", "CanonicalJSON", "InspectServer"],
      path: "Fuzz/Targets"),

    .target(name: "KitFixture", dependencies: ["ViewModelKit"], path: "Tests/Fixtures/KitFixture"),
    .target(
      name: "DeterminismFixture", dependencies: ["ViewModelKit"],
      path: "Tests/Fixtures/DeterminismFixture"),
    .target(
      name: "MistakenFixture", dependencies: ["ViewModelKit"],
      path: "Tests/Fixtures/MistakenFixture"),
    .target(
      name: "ValuesFixture", dependencies: ["ViewModelKit", "ViewModelKitFoundation"],
      path: "Tests/Fixtures/ValuesFixture"),
    .target(
      name: "ConfinedFixture", dependencies: ["ViewModelKit"],
      path: "Tests/Fixtures/ConfinedFixture"),
    .target(
      name: "BrokenFixture", dependencies: ["PluginABI"], path: "Tests/Fixtures/BrokenFixture",
      publicHeadersPath: "."),
    .target(
      name: "HangingFixture", dependencies: ["PluginABI"], path: "Tests/Fixtures/HangingFixture",
      publicHeadersPath: "."),
    .target(
      name: "PrintingFixture", dependencies: ["PluginABI"], path: "Tests/Fixtures/PrintingFixture",
      publicHeadersPath: "."),
    .executableTarget(
      name: "worker-soak", dependencies: ["HostCore", "BenchmarkBaselines"],
      path: "Tests/Fixtures/WorkerSoak"),
    .executableTarget(
      name: "no-reaper", dependencies: ["HostCore", "HostShims"], path: "Tests/Fixtures/NoReaper"),
    .target(
      name: "ActingPlugin", dependencies: ["PluginABI"], path: "Tests/Fixtures/ActingPlugin",
      publicHeadersPath: "."),
    .target(
      name: "HostileFixture", dependencies: ["ActingPlugin"],
      path: "Tests/Fixtures/HostileFixture", publicHeadersPath: "."),
    .target(
      name: "ForgerFixture", dependencies: ["ActingPlugin"],
      path: "Tests/Fixtures/ForgerFixture", publicHeadersPath: "."),
    .executableTarget(
      name: "worker-probe", dependencies: ["HostShims", "WorkerSymbols"],
      path: "Tests/Fixtures/WorkerProbe"),
    .target(
      name: "CanaryC", dependencies: ["PluginABI"], path: "Tests/Canaries/C",
      publicHeadersPath: "."),
    .target(
      name: "CanaryCXX", dependencies: ["PluginABI"], path: "Tests/Canaries/CXX",
      publicHeadersPath: "."),
    .target(name: "TestSupport", path: "Tests/TestSupport"),
    .testTarget(name: "PluginABITests", dependencies: ["PluginABI", "CanaryC", "CanaryCXX"]),
    .testTarget(name: "BasicsTests", dependencies: ["Basics"]),
    .testTarget(
      name: "CanonicalJSONTests", dependencies: ["CanonicalJSON", "Basics", "TestSupport"]),
    .testTarget(
      name: "ViewModelKitTests", dependencies: ["ViewModelKit", "CanonicalJSON", "PluginABI"]),
    .testTarget(
      name: "HostCoreTests",
      dependencies: [
        "HostCore", "HostShims", "CanonicalJSON", "Basics", "TestSupport", "worker-probe",
        "worker-soak",
      ]),
    .testTarget(name: "EmbeddingTests", dependencies: ["HostCore", "TestSupport"]),
    .testTarget(name: "FuzzTests", dependencies: ["FuzzTargets", "TestSupport"]),
    .testTarget(
      name: "InspectServerTests", dependencies: ["InspectServer", "CanonicalJSON", "TestSupport"]),
    .testTarget(name: "HTTPProviderTests", dependencies: ["CanonicalJSON", "TestSupport"]),
    .testTarget(
      name: "MoviesPluginTests", dependencies: ["PluginABI", "CanonicalJSON", "TestSupport"]),
    .testTarget(name: "AccountPluginTests", dependencies: ["AccountPlugin"]),
    .testTarget(
      name: "CommandLineTests",
      dependencies: [
        "vmhost", "HostCore", "HostShims", "CanonicalJSON", "Basics", "TestSupport", "no-reaper",
        "worker-probe",
      ],
      exclude: ["Goldens", "Editors/highlight.py", "Editors/highlight.vim"]),
  ],
  swiftLanguageModes: [.v6],
  cLanguageStandard: .c11,
  cxxLanguageStandard: .cxx17
)

for target in package.targets {
  target.swiftSettings = [
    .strictMemorySafety(),
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
  ]
  target.cSettings = [
    .treatAllWarnings(as: .error), .enableWarning("all"), .enableWarning("extra"),
  ]
  target.cxxSettings = [.treatAllWarnings(as: .error), .enableWarning("all")]
}

for target in package.targets where target.name == "Pages" {
  // `#embed` is of C23, and Clang has it in all its versions of C.
  target.cSettings?.append(.disableWarning("c23-extensions"))
}
