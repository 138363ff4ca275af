/// The words of the movies' screens, in one language.
struct MovieTexts: Sendable {
  let screenTitle: String
  let emptyDataTitle: String
  let errorTitle: String
  let searchBarPlaceholder: String
  let noConnection: String
  let failedLoading: String
  let toBeAnnounced: String
  let releaseDate: @Sendable (CalendarDate) -> String

  /// Chooses by the language of a BCP 47 or POSIX name (`es`, `es_ES.UTF-8`, `es-MX`): Spanish for
  /// Spanish, English for all others.
  static func texts(locale: String) -> MovieTexts {
    let language = locale.prefix { $0 != "_" && $0 != "-" && $0 != "." && $0 != "@" }
    return language.lowercased() == "es" ? spanish : english
  }

  static let english = MovieTexts(
    screenTitle: "Movies",
    emptyDataTitle: "Search results",
    errorTitle: "Error",
    searchBarPlaceholder: "Search Movies",
    noConnection: "No internet connection",
    failedLoading: "Failed loading movies",
    toBeAnnounced: "To be announced",
    releaseDate: { "Release Date: \(englishMonths[$0.month - 1]) \($0.day), \($0.year)" })

  static let spanish = MovieTexts(
    screenTitle: "Películas",
    emptyDataTitle: "Resultados de la búsqueda",
    errorTitle: "Error",
    searchBarPlaceholder: "Buscar películas",
    noConnection: "Sin conexión a Internet",
    failedLoading: "No se pudieron cargar las películas",
    toBeAnnounced: "Por anunciar",
    releaseDate: { "Fecha de estreno: \($0.day) \(spanishMonths[$0.month - 1]) \($0.year)" })

  private static let englishMonths = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  private static let spanishMonths = [
    "ene", "feb", "mar", "abr", "may", "jun", "jul", "ago", "sept", "oct", "nov", "dic",
  ]
}
