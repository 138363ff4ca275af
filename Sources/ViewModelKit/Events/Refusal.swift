/// Why a call from the host changed nothing: a status of the ABI, and a sentence for people.
struct Refusal: Error, Equatable {
  /// The statuses of refusal, with their values in the ABI.
  enum Status: Int32 {
    case viewModel = -1
    case config = -2
    case kind = -3
    case name = -4
    case value = -5
    case id = -6
    case failed = -7
  }

  var status: Status
  var message: String

  init(_ status: Status, _ message: String) {
    self.status = status
    self.message = message
  }
}
