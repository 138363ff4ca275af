/// How many transcripts `--update` rewrote, or its patch does.
struct UpdateCounts: Equatable {
  /// Those that expected nothing before.
  var filledIn = 0
  var updated = 0
  /// Those of either kind in which something else is wrong, too.
  var stillWrong = 0

  var all: Int { filledIn + updated + stillWrong }
}
