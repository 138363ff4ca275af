import CanonicalJSON

/// The types of a front end in Python: one module that imports nothing but `typing`.
struct PythonTypes {
  private let frontEnd: FrontEnd
  private let lines: LineTypes
  private let models: [PortTypes]
  private var classes: PythonClasses
  /// The types of the lines in each direction.
  private var lineIn: [String] = []
  private var lineOut: [String] = []

  static func text(_ frontEnd: FrontEnd) throws -> String {
    var types = try PythonTypes(frontEnd)
    return types.text()
  }

  private init(_ frontEnd: FrontEnd) throws {
    self.frontEnd = frontEnd
    var names = TypeNames(
      reserved: PythonClasses.imports + ["True", "False", "None", "LineIn", "LineOut"])
    lines = try LineTypes(&names)
    for line in lines.in + lines.out { _ = names.unique([line.name]) }
    models = frontEnd.viewModels.map { PortTypes($0, &names) }
    classes = PythonClasses(names: names)
  }

  private mutating func text() -> String {
    for part in lines.parts + models.flatMap(\.parts) {
      classes.define(part.type, as: part.name, part.description)
    }
    for model in models { define(model) }
    for line in lines.in where line.role == .none {
      lineIn.append(define(shared: line, isIn: true))
    }
    for line in lines.out where line.role == .none {
      lineOut.append(define(shared: line, isIn: false))
    }
    classes.define(union: lineIn, as: "LineIn", "A line that a front end writes.")
    classes.define(
      union: lineOut, as: "LineOut", "A line that vmhost writes. Later versions may add kinds.")
    let title = SourceText.comment("Plugins: \(frontEnd.title)").map { "# \($0)\n" }.joined()
    return """
      # The types of a front end for vmhost, as "vmhost describe --format python" writes them.
      #
      \(title)
      from __future__ import annotations

      from typing import \(classes.usedImports.joined(separator: ", "))

      """ + classes.text
  }

  private mutating func define(_ model: PortTypes) {
    let states = lifted(model.states, of: model)
    let statesType = classes.names.unique([model.id, "States"])
    classes.define(
      .object(ObjectType(members: states.map(\.asMember), others: nil)), as: statesType,
      "The values of all states of \(model.id).")
    let config = classes.names.unique([model.id, "Config"])
    classes.define(
      model.config, as: config,
      "The config of \(model.id). Members with a default may be left out.")

    // Without a handle in the flow, no line is about it.
    let handles = frontEnd.handles(of: model.id)
    if handles == [] { return }
    let outputs = states + lifted(model.signals, of: model)
    let inputs = lifted(model.inputs, of: model)
    let id = MemberType(name: "viewModel", type: .literal(.string(model.id)), isRequired: true)
    func define(_ line: LineTypes.Line, isIn: Bool) -> String? {
      let instance = Self.instance(of: line, isIn: isIn, handles)
      func one(_ members: [MemberType]) -> String {
        self.define(line, of: model, [instance] + members)
      }
      switch line.role {
      case .input: return self.define(line, inputs, "Input", of: model, instance)
      case .output: return self.define(line, outputs, "Output", of: model, instance)
      case .opening:
        return one([
          id,
          MemberType(name: "config", type: .named(config), isRequired: model.isConfigRequired),
        ])
      case .opened: return one([id])
      case .request:
        let effects = ValueType.union(of: model.effects.map { .literal(.string($0)) })
        guard effects != .never else { return nil }
        return one([MemberType(name: "effect", type: effects, isRequired: true)])
      case .frame:
        return one([MemberType(name: "states", type: .named(statesType), isRequired: true)])
      case .none: return nil
      }
    }
    lineIn += lines.in.compactMap { define($0, isIn: true) }
    lineOut += lines.out.compactMap { define($0, isIn: false) }
  }

  private mutating func lifted(
    _ ports: [PortTypes.Port], of model: PortTypes
  ) -> [PortTypes.Port] {
    ports.map { port in
      var port = port
      port.type = port.type.map { classes.lifted($0, [model.id, port.name]) }
      return port
    }
  }

  // MARK: Lines

  /// Defines a line that doesn't depend on the view model.
  private mutating func define(shared line: LineTypes.Line, isIn: Bool) -> String {
    let instance = Self.instance(of: line, isIn: isIn, frontEnd.handles?.map(\.name))
    classes.define(
      .object(line.members(replaced: [instance])), as: line.name, line.description)
    return line.name
  }

  private mutating func define(
    _ line: LineTypes.Line, of model: PortTypes, _ members: [MemberType]
  ) -> String {
    let name = classes.names.unique([model.id, line.name])
    classes.define(.object(line.members(replaced: members)), as: name, line.description)
    return name
  }

  /// Defines the lines of a kind for each port, and their union; nil if there are no ports.
  private mutating func define(
    _ line: LineTypes.Line, _ ports: [PortTypes.Port], _ word: String, of model: PortTypes,
    _ instance: MemberType
  ) -> String? {
    guard !ports.isEmpty else { return nil }
    let types = ports.map { port in
      let type = classes.names.unique([model.id, port.name, word])
      let name = MemberType(name: "name", type: .literal(.string(port.name)), isRequired: true)
      var members = line.members(replaced: [instance, name, port.asValue])
      if port.type == nil { members.members.removeAll { $0.name == "value" } }
      classes.define(.object(members), as: type, port.description)
      return type
    }
    let name = classes.names.unique([model.id, line.name])
    classes.define(union: types, as: name, line.description)
    return name
  }

  /// The member `instance` of a line. Where handles are known, a line must say which it means.
  private static func instance(
    of line: LineTypes.Line, isIn: Bool, _ handles: [String]?
  ) -> MemberType {
    let isRequired = line.members.member("instance")?.isRequired == true
    guard let handles else {
      return MemberType(name: "instance", type: .string, isRequired: isRequired)
    }
    return MemberType(
      name: "instance", type: .union(of: handles.map { .literal(.string($0)) }),
      isRequired: isRequired || isIn)
  }
}

extension PortTypes.Port {
  fileprivate var asMember: MemberType {
    MemberType(name: name, type: type ?? .unknown, isRequired: true, description: description)
  }

  fileprivate var asValue: MemberType {
    MemberType(name: "value", type: type ?? .never, isRequired: true)
  }
}
