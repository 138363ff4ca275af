import Basics
import CanonicalJSON

/// What makes a step happen, as a `step` line of JSON Lines says it.
package struct StepRecord: Sendable {
  package enum Action: String, Sendable {
    case input, reply, error, open, close
    /// A line of a transcript in which time passes.
    case advance
    /// Timers of one time, each of which makes a step of a session.
    case timers
  }

  /// The session's time when the step begins.
  package let time: Nanoseconds
  /// The number of the step, from 1.
  package let step: Int
  /// The line in the file, from 1; nil if no file is played.
  package var line: Int?
  package let action: Action
  package var instance: String?
  /// The name of the input, of the effect that is answered or of the view model, or the time that
  /// passes; nil for none.
  package var name: String?
  /// The number of the request that is answered.
  package var id: UInt64?
  /// The value of the input or the answer, or the config, as canonical JSON; empty for none.
  package var value: [UInt8] = []

  package init(at time: Nanoseconds, step: Int, _ action: Action) {
    (self.time, self.step, self.action) = (time, step, action)
  }

  /// Appends the line.
  package func append(to output: inout [UInt8]) {
    output += Array("{\"kind\":\"step\",\"t\":".utf8)
    TimeSpan.appendSeconds(time, to: &output)
    output += Array(",\"step\":\(step)".utf8)
    if let line { output += Array(",\"line\":\(line)".utf8) }
    output += Array(",\"action\":\"\(action.rawValue)\"".utf8)
    if let instance { Self.append("instance", instance, to: &output) }
    if let name { Self.append("name", name, to: &output) }
    if let id { output += Array(",\"id\":\(id)".utf8) }
    if !value.isEmpty { output += Array(",\"value\":".utf8) + value }
    output += Array("}\n".utf8)
  }

  private static func append(_ name: String, _ text: String, to output: inout [UInt8]) {
    output += Array(",\"\(name)\":".utf8)
    CanonicalJSON.appendString(text, to: &output)
  }
}

extension StepRecord {
  /// A step of a session.
  ///
  /// - Parameters:
  ///   - effect: that of the request that is answered.
  ///   - handles: the handles of the instances, by their numbers.
  init(
    _ action: SessionHistory.Action, at time: Nanoseconds, step: Int, effect: String?,
    handles: [String]
  ) {
    switch action {
    case .open(let viewModel, let handle, let config):
      self.init(at: time, step: step, .open)
      instance = handle ?? ViewModelManifest.defaultHandle(of: viewModel)
      name = viewModel
      config?.append(to: &value)
    case .close(let handle):
      self.init(at: time, step: step, .close)
      instance = handle
    case .inputs(let inputs):
      self.init(at: time, step: step, .input)
      let record = inputs.records[0]
      instance = handles[Int(record.instance)]
      name = inputs.name(of: record)
      value = Array(inputs.bytes[record.value])
    case .answer(let number, let id, let kind, let value):
      self.init(at: time, step: step, kind == .error ? .error : .reply)
      instance = handles[Int(number)]
      name = effect
      (self.id, self.value) = (id, value)
    case .timers: self.init(at: time, step: step, .timers)
    }
  }
}
