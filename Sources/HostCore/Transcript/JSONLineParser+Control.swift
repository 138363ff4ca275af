import Basics

// The lines about the session as a whole.
extension JSONLineParser {
  static func go(
    _ members: Members, _ line: Span<UInt8>
  ) throws(ScriptError) -> SessionControl {
    let step = try number(.step, from: 0, members, line, is: "the number of a step, from 0 on")
    guard !members[.branch].isEmpty else { return .go(step: step, branch: nil) }
    return .go(
      step: step,
      branch: try number(.branch, from: 1, members, line, is: "the number of a branch, from 1 on"))
  }

  private static func number(
    _ member: Member, from least: Int, _ members: Members, _ line: Span<UInt8>, is what: String
  ) throws(ScriptError) -> Int {
    let range = members[member]
    guard let number = Int(String(repairing: line.extracting(range))), number >= least else {
      throw ScriptError("\"\(member)\" must be \(what).", at: range.lowerBound)
    }
    return number
  }

  static func holdChange(
    _ members: Members, _ line: Span<UInt8>
  ) throws(ScriptError) -> SessionControl.HoldChange? {
    let effect = try text(.effect, members, line)
    let on = members[.on]
    guard let effect, !on.isEmpty else {
      guard effect == nil, on.isEmpty else {
        throw ScriptError(
          "a line of kind \"hold\" has \"effect\" and \"on\", or neither.",
          at: max(members[.effect].lowerBound, on.lowerBound))
      }
      return nil
    }
    switch String(repairing: line.extracting(on)) {
    case "true": return SessionControl.HoldChange(effect: effect, isHeld: true)
    case "false": return SessionControl.HoldChange(effect: effect, isHeld: false)
    default: throw ScriptError("\"on\" must be true or false.", at: on.lowerBound)
    }
  }

  static func timeChange(
    _ members: Members, _ line: Span<UInt8>
  ) throws(ScriptError) -> SessionControl.TimeChange? {
    let (mode, goal) = (try text(.mode, members, line), try text(.to, members, line))
    switch (mode, goal) {
    case (nil, nil): return nil
    case ("live", nil): return .live
    case ("paused", nil): return .paused
    case (nil, "timer"): return .toTimer
    case (nil, _):
      throw ScriptError("\"to\" must be \"timer\".", at: members[.to].lowerBound)
    case (_, nil):
      throw ScriptError(
        "\"mode\" must be \"live\" or \"paused\".", at: members[.mode].lowerBound)
    case (_, _):
      throw ScriptError(
        "a line of kind \"time\" has \"mode\" or \"to\", not both.", at: members[.to].lowerBound)
    }
  }
}
