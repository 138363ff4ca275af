/// How many transcripts `--update` has rewritten, or its patch rewrites.
struct UpdateCounts: Equatable {
  /// Transcripts that had no expectations before.
  var filledIn = 0
  /// Transcripts that had other expectations before.
  var updated = 0
  /// Transcripts of either kind that still fail.
  var stillWrong = 0

  var all: Int { filledIn + updated + stillWrong }
}
