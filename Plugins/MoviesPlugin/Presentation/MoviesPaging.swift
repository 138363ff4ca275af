/// The pages of one search, in load order, and which one comes next.
///
/// A cached page is shown, and only a fresh one moves on: so a page that failed is asked for again,
/// whether or not the cache had it.
struct MoviesPaging {
  let query: MovieQuery
  private var pages: [MoviesPage] = []
  private var current = 0
  private var total = 1

  init(query: MovieQuery) {
    self.query = query
  }

  var movies: [Movie] {
    pages.flatMap(\.movies)
  }

  /// Nil when the source has no more.
  var nextPage: Int? {
    current < total ? current + 1 : nil
  }

  mutating func show(cached page: MoviesPage) {
    replaceOrAppend(page)
  }

  mutating func moveOn(to page: MoviesPage) {
    replaceOrAppend(page)
    current = page.number
    total = page.totalPages
  }

  private mutating func replaceOrAppend(_ page: MoviesPage) {
    if let index = pages.firstIndex(where: { $0.number == page.number }) {
      pages[index] = page
    } else {
      pages.append(page)
    }
  }
}
