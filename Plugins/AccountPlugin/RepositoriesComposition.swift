import ViewModelKit

/// Puts the layers of the search for repositories together.
enum RepositoriesComposition {
  static func searchCodeRepositories(http: HTTP) -> SearchCodeRepositories {
    SearchCodeRepositories(source: GitHubRepositoriesSource(http: http))
  }
}
