/// What is known of somebody; what isn't is nil.
struct Profile: Equatable, Sendable {
  var name: String?
  var age = 0
  var city: String?
}
