import ViewModelKit

/// Shows one movie, with a poster that fits.
final class MovieDetailsViewModel: ViewModel {
  typealias Config = MovieDetailsConfig

  static let id = "movies.details"

  /// Send the width of the poster's place in pixels, at each layout.
  let updatePosterImage = Input<Int>()

  let title = State("")
  let overview = State("")
  let isPosterImageHidden = State(true)
  let posterImage = State<PosterImage?>(nil)

  let http = HTTP()

  let load = Work(.latest)

  func start(_ context: Context<MovieDetailsConfig>) {
    let movie = context.config.movie
    title.value = movie?.title ?? ""
    overview.value = movie?.overview ?? ""
    guard let path = movie?.posterPath, !path.isEmpty else { return }
    isPosterImageHidden.value = false
    let fetchPosterImage = MoviesComposition(config: context.config.shared)
      .fetchPosterImage(http: http)
    updatePosterImage.start(load) { width in
      do {
        let image = try await fetchPosterImage.execute(path: path, width: width)
        self.posterImage.value = PosterImage(image)
      } catch is MoviesFailure {
        // The next layout asks again; until then the old image stays.
      }
    }
  }
}
