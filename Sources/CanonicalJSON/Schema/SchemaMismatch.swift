/// Why a value doesn't fit a schema.
package struct SchemaMismatch: Error, Equatable, Sendable, CustomStringConvertible {
  /// Where in the value: `items[3].title`. Empty for the value itself.
  package let path: String
  /// `a string or null`.
  package let expected: String
  /// The JSON that was found there, or words for a container; nil where `expected` says it all.
  package var found: String?

  /// A phrase: `items[3].title: expected a string, found 5`.
  package var description: String {
    let found = found.map { ", found \($0.utf8.count > 60 ? "\($0.prefix(50))…" : $0)" } ?? ""
    return (path.isEmpty ? "" : "\(path): ") + "expected \(expected)\(found)"
  }
}

/// Why a JSON value is no schema, and where.
package struct SchemaError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The path from the schema: `properties.title.type`. Empty for the schema itself.
  package let path: String
  package let detail: String

  package var description: String { path.isEmpty ? detail : "\(path): \(detail)" }
}
