/// The session is another one now, in which its history was played again.
package struct SessionChange: Sendable {
  package enum Cause: Sendable {
    /// It went to a step of its history.
    ///
    /// - Parameters:
    ///   - steps: how many steps there are: one can go forward as far as that.
    ///   - copiesStore: whether the session has a copy of the store from now on.
    ///   - branch: the branch where it is.
    ///   - branches: all branches.
    case went(steps: Int, copiesStore: Bool, branch: Int, branches: [Branch])
    /// A plugin was loaded anew.
    ///
    /// - Parameters:
    ///   - differences: how many steps emitted something else.
    ///   - skipped: how many steps couldn't be made again.
    ///   - steps: how many steps there were.
    case reloaded(plugin: String, differences: Int, skipped: Int, steps: Int)
    /// The new build of a plugin can't take the place of the old one, which goes on.
    case keptOld(plugin: String, reason: String)
  }

  /// What happened after the session had gone back, or before.
  package struct Branch: Sendable {
    package let number: Int
    /// The step behind which it leaves the branch that it began in; 0 for the first one.
    package let from: Int
    /// The number of its last step.
    package let steps: Int
  }

  /// An open request that nobody is asked to answer.
  package struct UnaskedRequest: Sendable {
    package let handle: String
    package let id: UInt64
    package let effect: String
  }

  /// The states of an instance.
  package struct InstanceStates: Sendable {
    package let handle: String
    /// All of them, as an object in canonical JSON.
    package let states: [UInt8]
    /// Those that were others before.
    package let changed: [(name: String, value: [UInt8])]
  }

  package let cause: Cause
  /// The number of the session's last step.
  package let step: Int
  package var left: [UnaskedRequest] = []
  package var frames: [InstanceStates] = []
  /// More lines for people.
  package var details: [String] = []

  package init(_ cause: Cause, step: Int) {
    self.cause = cause
    self.step = step
  }
}
