/// The looks of a diff on a terminal. Each function decorates a plain line.
package struct DiffStyle: Sendable {
  package let expected: @Sendable (String) -> String
  package let found: @Sendable (String) -> String
  /// For notes about omitted lines, and for carets.
  package let dim: @Sendable (String) -> String
  package let legend: @Sendable (String) -> String

  package init(
    expected: @escaping @Sendable (String) -> String, found: @escaping @Sendable (String) -> String,
    dim: @escaping @Sendable (String) -> String, legend: @escaping @Sendable (String) -> String
  ) {
    self.expected = expected
    self.found = found
    self.dim = dim
    self.legend = legend
  }
}
