/// What went wrong in a helper of the tests, in words that a failed test can print.
package struct TestSupportError: Error, CustomStringConvertible {
  package let description: String

  package init(_ description: String) {
    self.description = description
  }
}
