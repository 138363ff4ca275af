import CanonicalJSON

/// A line about the session as a whole. Only a front end has use for it, so no transcript has one.
package enum SessionControl: Equatable, Sendable {
  /// Goes to another step, in a branch; nil for the one where the session is.
  case go(step: Int, branch: Int?)
  /// Asks for the view models that can be opened.
  case describe
  /// Asks for the session so far, as a transcript.
  case save
  /// Asks how time passes, after a change if there is one.
  case time(TimeChange?)
  /// Asks which effects are held, after a change if there is one.
  case hold(HoldChange?)
  /// Has the provider of a request asked for the answer.
  case ask(handle: String?, id: UInt64)

  /// Whether requests of an effect wait for a line, even if it has a provider.
  package struct HoldChange: Equatable, Sendable {
    package let effect: String
    package let isHeld: Bool
  }

  package enum TimeChange: Equatable, Sendable {
    /// Time passes by itself from now on.
    case live
    /// Time passes only where a line says so from now on.
    case paused
    /// Time passes until the next timer fires.
    case toTimer
  }
}

extension SessionControl {
  /// The members of its line.
  var members: [String: JSONValue] {
    switch self {
    case .go(let step, nil): ["kind": "go", "step": .number(JSONNumber(step))]
    case .go(let step, let branch?):
      ["kind": "go", "step": .number(JSONNumber(step)), "branch": .number(JSONNumber(branch))]
    case .describe: ["kind": "describe"]
    case .save: ["kind": "save"]
    case .time(nil): ["kind": "time"]
    case .time(.live): ["kind": "time", "mode": "live"]
    case .time(.paused): ["kind": "time", "mode": "paused"]
    case .time(.toTimer): ["kind": "time", "to": "timer"]
    case .hold(nil): ["kind": "hold"]
    case .hold(let change?):
      ["kind": "hold", "effect": .string(change.effect), "on": .bool(change.isHeld)]
    case .ask(let handle?, let id):
      ["kind": "ask", "instance": .string(handle), "id": .number(JSONNumber(Int(id)))]
    case .ask(nil, let id): ["kind": "ask", "id": .number(JSONNumber(Int(id)))]
    }
  }
}
