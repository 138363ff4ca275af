import ViewModelKit

/// The responses of earlier searches, in storage, one record for each query and page.
struct MoviesResponseCache: Sendable {
  let storage: Storage
  let warn: Warn

  /// Returns the record, or nil if there is none or it can't be read. Throws only what ended the
  /// work early.
  func response(to query: MovieQuery, page: Int) async throws -> MoviesResponse? {
    do {
      return try await storage.get(Self.key(query, page), as: MoviesResponse.self)
    } catch let cancellation as CancellationError {
      throw cancellation
    } catch {
      await warn("Page \(page) of \"\(query.text)\" can't be read from the cache: \(error)")
      return nil
    }
  }

  /// Puts the response in the place of any earlier one. Throws only what ended the work early: a
  /// response that can't be kept is still a response.
  func save(_ response: MoviesResponse, to query: MovieQuery, page: Int) async throws {
    do {
      try await storage.set(Self.key(query, page), response)
    } catch let cancellation as CancellationError {
      throw cancellation
    } catch {
      await warn("Page \(page) of \"\(query.text)\" can't be kept in the cache: \(error)")
    }
  }

  /// The page is digits only and the encoding has no `/`, so each query and page has its own key.
  private static func key(_ query: MovieQuery, _ page: Int) -> String {
    "responses/\(page)/\(PercentEncoding.encode(query.text))"
  }
}
