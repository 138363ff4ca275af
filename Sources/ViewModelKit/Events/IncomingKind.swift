/// Kinds of events from the host, with their values in the ABI.
enum IncomingKind: UInt32 {
  case input = 1
  case reply = 2
  case error = 3
}
