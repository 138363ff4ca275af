/// The words of the list's screen that stay as they are.
struct MoviesListLabels: Codable, Equatable, Sendable {
  let screenTitle: String
  let emptyDataTitle: String
  let errorTitle: String
  let searchBarPlaceholder: String

  init(_ texts: MovieTexts) {
    screenTitle = texts.screenTitle
    emptyDataTitle = texts.emptyDataTitle
    errorTitle = texts.errorTitle
    searchBarPlaceholder = texts.searchBarPlaceholder
  }
}
