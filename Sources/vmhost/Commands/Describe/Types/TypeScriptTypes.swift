import Basics
import CanonicalJSON

/// The types of a front end in TypeScript: one module that imports nothing.
struct TypeScriptTypes {
  private let frontEnd: FrontEnd
  private let models: [PortTypes]
  private let lines: LineTypes

  static func text(_ frontEnd: FrontEnd) throws -> String {
    try TypeScriptTypes(frontEnd).text()
  }

  private init(_ frontEnd: FrontEnd) throws {
    self.frontEnd = frontEnd
    var names = TypeNames(reserved: [
      "ViewModels", "ViewModelID", "FlowInstances", "Instances", "ByHandle", "Handle", "To",
      "NamedValue", "Without", "Input", "Output", "States", "Config", "Effect", "Opening", "LineIn",
      "LineOut", "Extract",
    ])
    lines = try LineTypes(&names)
    for line in lines.in + lines.out { _ = names.unique([line.name]) }
    models = frontEnd.viewModels.map { PortTypes($0, &names) }
  }

  private func text() -> String {
    var text = """
      // The types of a front end for vmhost, as "vmhost describe --format typescript" writes them.

      """
    for line in SourceText.comment("Plugins: \(frontEnd.title)") { text += "// \(line)\n" }
    text += """

      /** The ports and configs of the view models. A port whose type is undefined has no value. */
      export interface ViewModels {

      """
    for model in models { text += Self.entry(model) }
    text += "}\n"
    for part in models.flatMap(\.parts) + lines.parts {
      text += "\n" + Self.comment(part.description, indent: 0)
      text += "export type \(part.name) = \(Self.text(part.type, indent: 0));\n"
    }
    text += Self.generics
    if let handles = frontEnd.handles {
      text += "\n/** The view models of the flow's handles. */\nexport type FlowInstances = {\n"
      for handle in handles {
        let ids = handle.viewModels.map(SourceText.quoted).joined(separator: " | ")
        text += "  \(Self.key(handle.name)): \(ids);\n"
      }
      text += "};\n"
    }
    for line in lines.in { text += declaration(line, isIn: true) }
    let others = lines.in.filter { $0.role != .input && $0.role != .opening }
    text += """

      /** A line that a front end writes. */
      export type LineIn<\(parameter)> =
        | (InputLine<I> & Without<"viewModel">)
        | (OpenInstanceLine<I> & Without<"name">)
        | ((\(others.map { "\n      | \(reference($0))" }.joined())
          ) & Without<"name" | "viewModel">);

      """
    for line in lines.out { text += declaration(line, isIn: false) }
    text += """

      /** A line that vmhost writes. Later versions may add kinds. */
      export type LineOut<\(parameter)> =\(lines.out.map { "\n  | \(reference($0))" }.joined());

      """
    return text
  }

  // MARK: View models

  private static func entry(_ model: PortTypes) -> String {
    var text = "  \(SourceText.quoted(model.id)): {\n"
    for (name, ports) in [
      ("inputs", model.inputs), ("states", model.states), ("signals", model.signals),
    ] {
      text += ports.isEmpty ? "    \(name): {};\n" : "    \(name): {\n"
      for port in ports {
        text += comment(port.description, indent: 6)
        let type = port.type.map { self.text($0, indent: 6) } ?? "undefined"
        text += "      \(key(port.name)): \(type);\n"
      }
      if !ports.isEmpty { text += "    };\n" }
    }
    let effects = model.effects.map(SourceText.quoted).joined(separator: " | ")
    text += "    effects: \(effects.isEmpty ? "never" : effects);\n"
    text += "    config: \(self.text(model.config, indent: 4));\n"
    return text + "  };\n"
  }

  private static let generics = """

    export type ViewModelID = keyof ViewModels;

    /** An input of a view model: its name and value. */
    export type Input<V extends ViewModelID = ViewModelID> = V extends ViewModelID
      ? NamedValue<ViewModels[V]["inputs"], {}>
      : never;

    /** A state or signal of a view model: its name and value. */
    export type Output<V extends ViewModelID = ViewModelID> = V extends ViewModelID
      ? NamedValue<ViewModels[V]["states"] & ViewModels[V]["signals"], { value?: undefined }>
      : never;

    /** The values of all states of a view model, by their names. */
    export type States<V extends ViewModelID = ViewModelID> = ViewModels[V]["states"];

    /** The config of a view model. Members with a default may be left out. */
    export type Config<V extends ViewModelID = ViewModelID> = ViewModels[V]["config"];

    /** The effects that a view model may request. */
    export type Effect<V extends ViewModelID = ViewModelID> = ViewModels[V]["effects"];

    /** What opens an instance of a view model. A config is needed if not all of it has defaults. */
    export type Opening<V extends ViewModelID = ViewModelID> = V extends ViewModelID
      ? { viewModel: V } & ({} extends Config<V> ? { config?: Config<V> } : { config: Config<V> })
      : never;

    type NamedValue<P, None> = {
      [N in keyof P]: P[N] extends undefined ? { name: N } & None : { name: N; value: P[N] };
    }[keyof P];

    /**
     * The instances of a session: which view model each handle has. An id, or a union of ids,
     * stands for instances of these view models with any handles.
     */
    export type Instances = ViewModelID | { [handle: string]: ViewModelID };

    type ByHandle<I extends Instances> = [I] extends [ViewModelID]
      ? { [handle: string]: I }
      : { [H in keyof I]: Extract<I[H], ViewModelID> };

    export type Handle<I extends Instances> = keyof ByHandle<I> & string;

    /** The instance that a line is for. It can be left out only where no handles are known. */
    type To<H> = string extends H ? { instance?: string } : { instance: H };

    /** Members that a line doesn't have. They let a compiler say what is wrong in the one meant. */
    type Without<N extends string> = { [M in N]?: undefined };

    """

  // MARK: Lines

  private var parameter: String {
    "I extends Instances = \(frontEnd.handles == nil ? "ViewModelID" : "FlowInstances")"
  }

  private func reference(_ line: LineTypes.Line) -> String {
    line.name + (isGeneric(line) ? "<I>" : "")
  }

  /// Whether a line depends on what instances there are.
  private func isGeneric(_ line: LineTypes.Line) -> Bool { line.members.member("instance") != nil }

  private func declaration(_ line: LineTypes.Line, isIn: Bool) -> String {
    let comment = "\n" + Self.comment(line.description, indent: 0)
    guard isGeneric(line) else {
      return comment + "export type \(line.name) = "
        + Self.text(.object(line.members), indent: 0) + ";\n"
    }
    let rest = ObjectType(members: line.others(["instance"] + line.role.members), others: nil)
    func head(_ handle: String, indent: Int) -> String {
      let object = Self.text(.object(rest), indent: indent)
      let isRequired = line.members.member("instance")?.isRequired == true
      let instance = "{ instance\(isRequired || isIn ? "" : "?"): \(handle) }"
      return "\(object) & \(isIn && !isRequired ? "To<\(handle)>" : instance)"
    }
    let start = comment + "export type \(line.name)<\(parameter)> = "
    guard let members = Self.members(line.role) else {
      return start + head("Handle<I>", indent: 0) + ";\n"
    }
    return start
      + "{\n  [H in Handle<I>]: \(head("H", indent: 2))\n    & \(members);\n}[Handle<I>];\n"
  }

  /// The members that depend on the view model of the handle `H`; nil if none does.
  private static func members(_ role: LineTypes.Role) -> String? {
    let viewModel = "ByHandle<I>[H]"
    switch role {
    case .input: return "Input<\(viewModel)>"
    case .output: return "Output<\(viewModel)>"
    case .opening: return "Opening<\(viewModel)>"
    case .opened: return "{ viewModel: \(viewModel) }"
    case .request: return "{ effect: Effect<\(viewModel)> }"
    case .frame: return "{ states: States<\(viewModel)> }"
    case .none: return nil
    }
  }

  // MARK: Types

  private static func comment(_ text: String?, indent: Int) -> String {
    let padding = String(repeating: " ", count: indent)
    let lines = SourceText.comment(text ?? "").map { $0.byteReplacing("*/", with: "*\\/") }
    guard !lines.isEmpty else { return "" }
    // A compiler takes orders from the last line of a comment, such as @ts-ignore.
    if lines.count == 1 && !lines[0].contains("@") { return "\(padding)/** \(lines[0]) */\n" }
    let body = lines.map { "\(padding) *\($0.isEmpty ? "" : " ")\($0)\n" }.joined()
    return "\(padding)/**\n\(body)\(padding) */\n"
  }

  private static func key(_ name: String) -> String {
    SourceText.isIdentifier(name) ? name : SourceText.quoted(name)
  }

  private static func text(_ type: ValueType, indent: Int) -> String {
    switch type {
    case .unknown: "unknown"
    case .never: "never"
    case .null: "null"
    case .boolean: "boolean"
    case .integer, .number: "number"
    case .string: "string"
    case .literal(let value): literal(value)
    case .array(let element): "\(elementText(element, indent: indent))[]"
    case .tuple(let tuple): self.text(tuple, indent: indent)
    case .object(let object): self.text(object, indent: indent)
    case .union(let parts): SourceText.union(parts.map { self.text($0, indent: indent) })
    case .named(let name): name
    }
  }

  private static func elementText(_ type: ValueType, indent: Int) -> String {
    let text = text(type, indent: indent)
    if case .union = type { return "(\(text))" }
    return text
  }

  private static func literal(_ value: JSONValue) -> String {
    switch value {
    case .string(let text): return SourceText.quoted(text)
    // A number that a Double can't hold would become another one.
    case .number(let number):
      let isSafe = abs(number.doubleValue) <= 9_007_199_254_740_991
      return isSafe ? value.canonicalText : "number"
    case .null, .bool, .array, .object: return value.canonicalText
    }
  }

  private static func text(_ tuple: TupleType, indent: Int) -> String {
    let elements = tuple.elements.enumerated().map { index, element in
      let text = elementText(element, indent: indent)
      return index < tuple.required ? text : "\(text)?"
    }
    let others = tuple.others.map { ["...\(elementText($0, indent: indent))[]"] } ?? []
    return "[\((elements + others).joined(separator: ", "))]"
  }

  private static func text(_ object: ObjectType, indent: Int) -> String {
    let hasOptional = object.members.contains { !$0.isRequired }
    let any = object.anyMember.map { type in
      let text = self.text(type, indent: indent + 2)
      return hasOptional && type != .unknown ? "\(text) | undefined" : text
    }
    if object.members.isEmpty, let any { return "{ [key: string]: \(any) }" }
    let padding = String(repeating: " ", count: indent + 2)
    var text = "{\n"
    for member in object.members {
      text += comment(member.description, indent: indent + 2)
      text += "\(padding)\(key(member.name))\(member.isRequired ? "" : "?"): "
      text += "\(self.text(member.type, indent: indent + 2));\n"
    }
    if let any { text += "\(padding)[key: string]: \(any);\n" }
    return text + "\(padding.dropLast(2))}"
  }
}
