/// Finds the names to change in one transcript.
struct RenameWalk {
  typealias Name = TranscriptRenames.Name

  struct Edit {
    let range: Range<Int>
    let bytes: [UInt8]
  }

  private struct OpenHandle {
    let handle: String
    let newHandle: String
    let viewModel: String
    /// The line that opens it.
    let number: Int
  }

  private struct Line {
    let number: Int
    /// Where it begins in the file.
    let start: Int
    let command: ScriptCommand?
    let bytes: [UInt8]
    let names: LineNames

    var closes: Bool { if case .close = command { true } else { false } }
  }

  private let new: [Name: String]
  private let source: TranscriptSource
  private(set) var seen: Set<Name> = []
  private(set) var matched: Set<Name> = []
  private(set) var lineCount = 0
  /// The path of its flow file.
  private(set) var flow: String?

  private var edits: [Edit] = []
  private var instances: [OpenHandle] = []
  /// The view models of the instances that a flow may open, or that were closed, by handle.
  private var others: [String: String] = [:]
  /// The handles that lines name.
  private var named: Set<String> = []
  /// The lines that use a new handle for an instance that had it before, by the handle.
  private var taken: [String: Line] = [:]

  init(_ new: [Name: String], _ source: TranscriptSource) {
    (self.new, self.source) = (new, source)
  }

  /// The edits, in the order of the file.
  mutating func edits(of bytes: [UInt8]) throws(TranscriptError) -> [Edit] {
    let lines = try lines(of: bytes)
    for line in lines {
      if case .flow(let path) = line.command { takeFlow(path) }
      if let handle = line.names.handle { named.insert(text(handle, of: line)) }
    }
    for line in lines {
      let count = edits.count
      if let id = line.names.viewModel {
        try takeOpening(id, line)
      } else {
        takeNames(line)
      }
      if edits.count > count { lineCount += 1 }
    }
    for (name, new) in new where name.kind == .handle && matched.contains(name) {
      guard let line = taken[new] else { continue }
      throw error("\"\(new)\" is already a handle of this transcript.", at: .handle, line)
    }
    return edits.sorted { $0.range.lowerBound < $1.range.lowerBound }
  }

  // MARK: Reading

  private func lines(of bytes: [UInt8]) throws(TranscriptError) -> [Line] {
    let starts = ByteLines(bytes).ranges.map(\.lowerBound)
    var reader = LineReader()
    reader.fill { $0 = bytes }
    var lines: [Line] = []
    do throws(ScriptError) {
      while let line = try reader.next(atEnd: true) {
        let text = Array(reader.storage[reader.line])
        let names = try LineNames(line, in: text.span)
        guard names.viewModel ?? names.handle ?? names.input ?? names.output != nil || line.isFlow
        else { continue }
        var command: ScriptCommand?
        if case .command(let read) = line { command = read }
        lines.append(
          Line(
            number: reader.number, start: starts[reader.number - 1], command: command, bytes: text,
            names: names))
      }
    } catch {
      let text = Array(reader.storage[reader.line])
      throw TranscriptError(
        invalid: error.report(source: source.path, number: reader.number, line: text.span),
        line: reader.number)
    }
    return lines
  }

  private mutating func takeFlow(_ path: String) {
    let path = Files.path(path, from: source.folder)
    flow = path
    guard let document = try? FlowDocument(contentsOf: path) else { return }
    for opening in document.starts + document.openings {
      others[opening.handle] = opening.viewModel
      seen.insert(Name(.viewModel, opening.viewModel))
    }
  }

  private func text(_ range: Range<Int>, of line: Line) -> String {
    line.names.text(range, in: line.bytes.span)
  }

  private func error(_ message: String, at part: LinePart, _ line: Line) -> TranscriptError {
    TranscriptError(
      invalid: ScriptError(message, at: part).report(
        source: source.path, number: line.number, line: line.bytes.span),
      line: line.number)
  }

  // MARK: Lines

  /// The new name of something; nil if it keeps its name.
  private mutating func renamed(_ name: Name) -> String? {
    seen.insert(name)
    guard let new = new[name] else { return nil }
    matched.insert(name)
    return new
  }

  private mutating func replace(_ range: Range<Int>, of line: Line, with text: String) {
    let range = line.start + range.lowerBound..<line.start + range.upperBound
    edits.append(Edit(range: range, bytes: Array(text.utf8)))
  }

  private mutating func takeOpening(_ id: Range<Int>, _ line: Line) throws(TranscriptError) {
    let viewModel = text(id, of: line)
    let newViewModel = renamed(Name(.viewModel, viewModel))
    if let newViewModel { replace(id, of: line, with: newViewModel) }
    let given = line.names.handle.map { text($0, of: line) }
    let handle = given ?? ViewModelManifest.defaultHandle(of: viewModel)
    var newHandle = handle
    if let new = renamed(Name(.handle, handle)) {
      newHandle = new
      if let range = line.names.handle { replace(range, of: line, with: new) }
    }
    if given == nil {
      let ownHandle = ViewModelManifest.defaultHandle(of: newViewModel ?? viewModel)
      if newHandle == handle, flow == nil, !named.contains(handle) {
        // No line has the handle, so it may change with the view model.
        newHandle = ownHandle
      } else if newHandle != ownHandle {
        let end = line.names.isJSON ? id.upperBound + 1 : id.upperBound
        let text = line.names.isJSON ? ",\"instance\":\"\(newHandle)\"" : " as \(newHandle)"
        replace(end..<end, of: line, with: text)
      }
    }
    let others = instances.filter { $0.newHandle == newHandle && $0.handle != handle }
    if let other = others.first {
      throw error(
        "the handle would be \"\(newHandle)\", as that of the instance of line \(other.number).",
        at: .subject, line)
    }
    instances.append(
      OpenHandle(handle: handle, newHandle: newHandle, viewModel: viewModel, number: line.number))
  }

  /// Takes a line that opens nothing.
  private mutating func takeNames(_ line: Line) {
    let handle = line.names.handle.map { text($0, of: line) }
    let viewModel = viewModel(of: handle)
    if let range = line.names.handle, let handle {
      if let new = renamed(Name(.handle, handle)) {
        replace(range, of: line, with: new)
      } else if !instances.contains(where: { $0.handle == handle }) {
        // A flow opens it, at whatever time.
        taken[handle] = taken[handle] ?? line
      }
    }
    if let viewModel {
      for (kind, range) in [
        (TranscriptRenames.Kind.input, line.names.input), (.output, line.names.output),
      ] {
        guard let range else { continue }
        if let new = renamed(Name(kind, of: viewModel, text(range, of: line))) {
          replace(range, of: line, with: new)
        }
      }
    }
    guard let handle, line.closes else { return }
    if let index = instances.lastIndex(where: { $0.handle == handle }) {
      others[handle] = instances.remove(at: index).viewModel
    }
  }

  /// The view model of an instance; nil if it can't be told.
  private func viewModel(of handle: String?) -> String? {
    guard let handle else {
      if instances.count == 1 { return instances[0].viewModel }
      return instances.isEmpty && others.count == 1 ? others.first?.value : nil
    }
    return instances.last { $0.handle == handle }?.viewModel ?? others[handle]
  }
}

extension ScriptLine {
  fileprivate var isFlow: Bool { if case .command(.flow) = self { true } else { false } }
}
