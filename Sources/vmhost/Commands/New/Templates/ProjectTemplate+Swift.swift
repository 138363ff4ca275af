import HostCore

extension ProjectTemplate {
  private static let packageVariable = "VMHOST_PACKAGE"

  static func swift(
    _ name: ProjectName, _ dependency: PackageDependency
  ) throws(Failure) -> ProjectTemplate {
    try requireFree(name)
    let products = ".build/debug"
    var repository: (url: String, version: String)?
    var notes = "`Package.swift` says where ViewModelKit is"
    switch dependency {
    case .folder: notes += "; the variable `\(packageVariable)` can name another clone."
    case .repository(let url, let version):
      repository = (url, version)
      notes += "."
    }
    return ProjectTemplate(
      name: name, plugin: "\(name.text).so", products: products, build: "swift build",
      files: [
        file("Package.swift", manifest(name, dependency)),
        file("Sources/\(name.module)/CounterViewModel.swift", counter(name)),
        file("Sources/\(name.module)/Plugin.swift", plugin(name)),
      ],
      ignored: [".build/", "tests.xml", "vmhost/"], repository: repository,
      packageVariable: repository == nil ? packageVariable : nil,
      tools: "Swift 6.3 or later.",
      notes: notes)
  }

  /// Throws if vmhost's own package has something of this name: SwiftPM would take one for the
  /// other.
  private static func requireFree(_ name: ProjectName) throws(Failure) {
    let package = String(decoding: PackageResources.vmhost_package_txt, as: UTF8.self)
    let known = ["Swift", "Foundation", "Testing"]
    for own in [name.text, name.module]
    where known.contains(own) || package.contains("name: \"\(own)\"") {
      throw Failure(
        .usage,
        "\"\(name.text)\" can't be the name of a project in Swift: vmhost's package or "
          + "Swift has \"\(own)\" already. \"my-\(name.text)\" can.")
    }
  }

  private static func manifest(
    _ name: ProjectName, _ dependency: PackageDependency
  ) -> String {
    let place =
      switch dependency {
      case .folder(let path):
        """
        .package(
              name: "vmhost",
              path: Context.environment["\(packageVariable)"] ?? "\(literal(path))")
        """
      case .repository(let url, let version): ".package(url: \"\(url)\", from: \"\(version)\")"
      }
    return """
      // swift-tools-version: 6.2
      import PackageDescription

      let package = Package(
        name: "\(name.text)",
        products: [.library(name: "\(name.text)", type: .dynamic, targets: ["\(name.module)"])],
        dependencies: [
          \(place)
        ],
        targets: [
          .target(
            name: "\(name.module)",
            dependencies: [.product(name: "ViewModelKit", package: "\(dependency.name)")])
        ])

      """
  }

  private static func literal(_ text: String) -> String {
    String(text.flatMap { $0 == "\\" || $0 == "\"" ? ["\\", $0] : [$0] })
  }

  private static func counter(_ name: ProjectName) -> String {
    """
    import ViewModelKit

    /// Counts.
    final class CounterViewModel: ViewModel {
      static let id = "\(name.text).counter"

      /// Send what to add.
      let add = Input<Int>()
      let reset = Input<NoValue>()

      let count = State(0, .distinct)
      let wasReset = Signal<NoValue>()

      func start(_ context: Context<NoConfig>) {
        add.on { number in
          let (sum, overflow) = self.count.value.addingReportingOverflow(number)
          if !overflow { self.count.value = sum }
        }
        reset.on {
          guard self.count.value != 0 else { return }
          self.count.value = 0
          self.wasReset.emit()
        }
      }
    }

    """
  }

  private static func plugin(_ name: ProjectName) -> String {
    """
    import ViewModelKit

    let plugin = Plugin(id: "\(name.text)", version: "1.0.0", CounterViewModel.self)

    @c(vm_plugin_entry_v1) public func pluginEntry() -> PluginEntry { plugin.entry }

    """
  }
}
