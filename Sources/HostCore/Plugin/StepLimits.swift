import Basics

/// Limits on what a plugin may cost the host. A plugin that exceeds one has broken its contract,
/// except that a full store only refuses to keep more.
///
/// A step is an input, an answer from outside, an opening or a closing, with everything that it
/// leads to: the answers of the store, what a flow does, and the timers that end within a
/// millisecond of the session's time.
public struct StepLimits: Sendable, Equatable {
  /// The number of events that a step may emit.
  public var events = 100_000
  /// The number of bytes of names and values that a step may emit and get from the store, and the
  /// number of bytes that the states of a plugin may hold.
  public var bytes = 200_000_000
  /// The number of requests that a step may make.
  public var requests = 100_000
  /// The number of requests of a plugin that may wait for an answer from outside.
  public var openRequests = 10_000
  /// The number of timers of a plugin that may wait.
  public var timers = 100_000
  /// The number of bytes of keys and values that a plugin may keep in the store. Each value counts
  /// 100 bytes more.
  public var storage = 100_000_000

  /// The time until the plugin is idle again.
  package var time: Nanoseconds = 10_000_000_000

  /// The time until a plugin in a process of its own is loaded and has given its manifest. It is
  /// longer, since a slow disk and large libraries are no fault of the plugin.
  package var loadTime: Nanoseconds = 30_000_000_000

  /// How many times as long as its limit a plugin may have waited for a processor, which doesn't
  /// count as its own time.
  package static let mostWaiting: Nanoseconds = 3

  /// The largest `time` that the command line and apps may set: 24 hours. A longer one would be no
  /// real limit, and sums of times could overflow.
  package static let maxTime: Nanoseconds = 86_400_000_000_000

  /// Makes limits that are those of the command line by default.
  public init() {}
}

/// A limit that users can set by its name.
package enum StepLimit: String, CaseIterable, Sendable {
  case events, bytes, requests
  case openRequests = "open-requests"
  case timers, storage

  /// Whether it is a number of bytes.
  package var isSize: Bool { self == .bytes || self == .storage }

  /// The largest value that may be set. A larger one would be no real limit.
  package var max: Int {
    switch self {
    case .events, .requests, .openRequests, .timers: 10_000_000
    case .bytes: 1 << 30
    case .storage: 1 << 40
    }
  }
}

extension StepLimits {
  package subscript(limit: StepLimit) -> Int {
    get { self[keyPath: Self.path(of: limit)] }
    set { self[keyPath: Self.path(of: limit)] = newValue }
  }

  private static func path(of limit: StepLimit) -> WritableKeyPath<StepLimits, Int> {
    switch limit {
    case .events: \.events
    case .bytes: \.bytes
    case .requests: \.requests
    case .openRequests: \.openRequests
    case .timers: \.timers
    case .storage: \.storage
    }
  }

  /// How a plugin has exceeded a limit, for people. "It" is the plugin.
  package func excess(_ limit: StepLimit) -> String {
    let number = self[limit]
    let what =
      switch limit {
      case .events: "it emitted more than \(number) events in one step"
      case .bytes: "it emitted and read more than \(number) bytes in one step"
      case .requests: "it made more than \(number) requests in one step"
      case .openRequests: "more than \(number) of its requests are open"
      case .timers: "more than \(number) of its timers are waiting"
      case .storage: "it may keep \(number) bytes"
      }
    return "\(what). \(Self.advice(limit))"
  }

  /// How the plugin has exceeded the time of a step.
  package var excessOfTime: String {
    "it was not idle after \(TimeSpan.text(time)). \"--step-timeout\" gives it more"
  }

  /// What a user can do about a limit, without a full stop.
  package static func advice(_ limit: StepLimit) -> String {
    "\"--limit \(limit.rawValue)=\(limit.isSize ? "SIZE" : "NUMBER")\" allows more"
  }
}

/// What a step has used up of its limits so far, which its next exchange with a plugin can't use
/// again.
package struct StepUse: Equatable, Sendable {
  package var events = 0
  package var bytes = 0
  package var time: Nanoseconds = 0

  package init() {}
}
