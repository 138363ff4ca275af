import ViewModelKit

/// The recent queries in storage.
struct DefaultRecentQueriesRepository: RecentQueriesRepository {
  private static let key = "recent-queries"

  let storage: Storage
  let warn: Warn

  func recent(limit: Int) async throws -> [MovieQuery] {
    let stored = try await storage.get(Self.key, as: StoredRecentQueries.self)
    return (stored?.queries ?? []).prefix(max(0, limit)).map(MovieQuery.init)
  }

  func save(_ query: MovieQuery) async throws {
    do {
      try await storage.set(Self.key, readToReplace().adding(query))
    } catch let cancellation as CancellationError {
      throw cancellation
    } catch {
      await warn("\"\(query.text)\" can't be kept among the recent queries: \(error)")
    }
  }

  /// A record that makes no sense is replaced; one that the storage won't give now is left alone.
  private func readToReplace() async throws -> StoredRecentQueries {
    do {
      let stored = try await storage.get(Self.key, as: StoredRecentQueries.self)
      return stored ?? StoredRecentQueries(queries: [])
    } catch let error as EffectError where error.code == EffectError.invalidReply {
      await warn("The recent queries were damaged and begin anew: \(error)")
      return StoredRecentQueries(queries: [])
    }
  }
}
