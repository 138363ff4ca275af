/// The colours of the traits.
enum TraitColor: String, Codable, CaseIterable, Sendable {
  case black
  case blue
  case purple
  case yellow
}
