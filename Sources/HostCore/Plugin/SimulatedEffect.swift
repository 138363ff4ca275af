/// An effect that the engine answers itself.
package enum SimulatedEffect: String, CaseIterable, Sendable {
  case timer
  case storageGet = "storage.get"
  case storageSet = "storage.set"
  case storageDelete = "storage.delete"
  case storageList = "storage.list"

  /// The names of all simulated effects, in alphabetical order.
  package static let names = allCases.map(\.rawValue).sorted()
}
