/// Waits, in the session's time: `let timer = Timer()`.
///
/// The time is the host's: a replay doesn't wait. A cancelled wait leaves nothing behind, unlike a
/// cancelled `Task.sleep`, whose time `+ idle` still waits for.
public final class Timer: EffectPart {
  public nonisolated override init() {}

  override var requests: [String] { [TimerRequest.effectName] }

  /// Returns when the duration has passed; a negative one counts as zero.
  public func sleep(for duration: Duration) async throws {
    let reply = try await ask(TimerRequest.effectBytes, TimerRequest(after: duration))
    _ = try decodeReply(NoValue.self, from: reply, TimerRequest.effectBytes)
  }
}
