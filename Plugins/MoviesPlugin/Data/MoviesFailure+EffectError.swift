import ViewModelKit

extension MoviesFailure {
  /// Only the effect's own word for it means offline; a status, whatever it is, means a connection.
  init(_ error: EffectError) {
    self = error.code == EffectError.offline ? .offline : .unavailable
  }
}
