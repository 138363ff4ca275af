/// The view models of instances that have ended, for as long as something else holds on to them.
@ViewModelActor enum EndedViewModels {
  private struct Entry {
    let id: String
    weak var model: AnyObject?
  }

  private static var entries: [Entry] = []
  /// How many entries there may be before those that have gone are looked for.
  private static var limit = minLimit
  private static let minLimit = 64

  /// - Parameter model: held by nobody, if all is well, once the caller has released it.
  static func add(_ model: AnyObject, id: String) {
    if entries.count >= limit {
      entries.removeAll { $0.model == nil }
      limit = max(2 * entries.count, minLimit)
    }
    entries.append(Entry(id: id, model: model))
  }

  /// The number of those that live, by the ids of their view models. They are forgotten.
  static func takeLiving() -> [String: Int] {
    defer { entries = [] }
    return entries.reduce(into: [:]) { if $1.model != nil { $0[$1.id, default: 0] += 1 } }
  }
}
