import Basics

extension SchemaValidator {
  /// How many values or names a message lists.
  private static let maxListed = 20

  /// The words for a failure in canonical JSON.
  func mismatch(_ failure: SchemaScan.Failure, _ json: Span<UInt8>) -> SchemaMismatch {
    SchemaMismatch(
      path: pathText(Self.path(to: failure.start, in: json)), expected: expected(failure, json),
      found: found(failure, json))
  }

  private func expected(_ failure: SchemaScan.Failure, _ json: Span<UInt8>) -> String {
    let rule = rules[failure.rule]
    switch failure.reason {
    case .type:
      let types = failure.alternatives.reduce(rule.types) { $0.union(rules[$1].types) }
      return Self.list(types.descriptions)
    case .constant:
      let all = ([failure.rule] + failure.alternatives).flatMap { rules[$0].constants ?? 0..<0 }
      return Self.list(Set(all.map { text(constants[$0]) }).sorted())
    case .never: return "no value here"
    case .characters:
      let limits = limits[rule.limits]
      return Self.size(limits.minCharacters, limits.maxCharacters, "character")
    case .elements:
      let limits = limits[rule.limits]
      return Self.size(limits.minElements, limits.maxElements, "element")
    case .minimum:
      return "a number of at least \(Self.text(limits[rule.limits].minimum ?? []))"
    case .maximum:
      return "a number of at most \(Self.text(limits[rule.limits].maximum ?? []))"
    case .missing: return "the member \(missing(failure, json)), which is missing"
    case .unexpected: return unexpected(failure, json)
    case .severalBranches:
      return "a value for exactly one of several schemas, and more than one fit"
    case .tooCostly: return "a value that can be checked within the limits of the host"
    }
  }

  private func found(_ failure: SchemaScan.Failure, _ json: Span<UInt8>) -> String? {
    switch failure.reason {
    case .missing, .unexpected, .severalBranches, .tooCostly: return nil
    case .elements:
      var count = 0
      var offset = failure.start
      while (try? JSONScanner.nextElement(in: json, at: &offset)) == true {
        _ = try? JSONScanner.skipValue(in: json, at: &offset)
        count += 1
      }
      return "\(count)"
    case .type, .constant, .never, .characters, .minimum, .maximum:
      switch json[failure.start] {
      case 0x7B: return "an object"
      case 0x5B: return "an array"
      default:
        var end = failure.start
        _ = try? JSONScanner.skipValue(in: json, at: &end)
        return String(repairing: json.extracting(failure.start..<end))
      }
    }
  }

  /// The first member, as a quoted name, that an object lacks.
  private func missing(_ failure: SchemaScan.Failure, _ json: Span<UInt8>) -> String {
    var names: Set<String> = []
    var offset = failure.start
    while let member = try? JSONScanner.nextMember(in: json, at: &offset) {
      names.insert(String(repairing: json.extracting(member.key.quoted)))
    }
    let required = members[rules[failure.rule].members].filter(\.isRequired)
    return required.map(name).first { !names.contains($0) } ?? ""
  }

  private func unexpected(_ failure: SchemaScan.Failure, _ json: Span<UInt8>) -> String {
    var end = failure.end - 1
    _ = try? JSONScanner.skipString(in: json, at: &end)
    let name = String(repairing: json.extracting((failure.end - 1)..<end))
    let known = members[rules[failure.rule].members].map { self.name($0) }
    let nearest = NearestName.of(name, among: known)
    return "no member \(name)" + (nearest.map { " (did you mean \($0)?)" } ?? "")
  }

  /// The name of a member, in quotes.
  private func name(_ member: SchemaMember) -> String {
    text(member.key.lowerBound..<(member.key.upperBound - 1))
  }

  private func text(_ range: Range<Int>) -> String { Self.text(Array(texts[range])) }

  private static func text(_ bytes: [UInt8]) -> String { String(repairing: bytes.span) }

  private static func size(_ least: Int, _ most: Int, _ what: String) -> String {
    if least == most { return "\(least) \(what)\(least == 1 ? "" : "s")" }
    if most == .max { return "at least \(least) \(what)\(least == 1 ? "" : "s")" }
    let count = least == 0 ? "at most \(most)" : "\(least) to \(most)"
    return "\(count) \(what)\(most == 1 ? "" : "s")"
  }

  private static func list(_ names: [String]) -> String {
    guard names.count <= maxListed else {
      return names.prefix(maxListed).joined(separator: ", ") + ", …"
    }
    guard let last = names.last, names.count > 1 else { return names.first ?? "no value here" }
    return "\(names.dropLast().joined(separator: ", ")) or \(last)"
  }

  /// The path to the value that begins at `start` in canonical JSON.
  private static func path(to start: Int, in json: Span<UInt8>) -> [any CodingKey] {
    var path: [any CodingKey] = []
    var offset = 0
    while offset < start, let step = step(to: start, in: json, at: &offset) { path.append(step) }
    return path
  }

  /// Moves from a container to the value in it that has `start`.
  private static func step(
    to start: Int, in json: Span<UInt8>, at offset: inout Int
  ) -> JSONCodingKey? {
    var end = offset
    if json[offset] == 0x7B {
      while let member = try? JSONScanner.nextMember(in: json, at: &end) {
        guard member.value.contains(start) else { continue }
        offset = member.value.lowerBound
        let name = (try? CanonicalJSON.unescape(json.extracting(member.key.content))) ?? ""
        return JSONCodingKey(stringValue: name)
      }
      return nil
    }
    var index = 0
    while (try? JSONScanner.nextElement(in: json, at: &end)) == true {
      let element = end
      _ = try? JSONScanner.skipValue(in: json, at: &end)
      if start < end {
        offset = element
        return JSONCodingKey(index: index)
      }
      index += 1
    }
    return nil
  }
}
