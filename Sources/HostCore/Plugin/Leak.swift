import CanonicalJSON

/// Instances of one view model that live on after they were closed.
package struct Leak: Equatable, Sendable {
  package let viewModel: String
  package var count: Int

  /// A sentence without its end.
  package var text: String {
    count == 1
      ? "1 instance of \(viewModel) lives on after it was closed"
      : "\(count) instances of \(viewModel) live on after they were closed"
  }

  /// Reads what a plugin says of its instances, which may be wrong in any way.
  ///
  /// - Parameter opened: how many instances there have been, by their view models.
  static func all(in json: Span<UInt8>, of opened: [String: Int]) -> [Leak] {
    guard !json.isEmpty, case .object(let members)? = try? JSONValue(parsing: json) else {
      return []
    }
    return members.sorted { $0.key < $1.key }.compactMap { id, value in
      guard let opened = opened[id], let count = value.intValue, count > 0 else { return nil }
      return Leak(viewModel: id, count: min(count, opened))
    }
  }
}
