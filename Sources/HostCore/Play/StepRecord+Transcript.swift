import Basics
import CanonicalJSON

// A step as a transcript has it.
extension StepRecord {
  /// A step of a transcript that has been played.
  ///
  /// - Parameter number: the number of the step, from 1.
  package init(_ step: TranscriptStep, number: Int, in session: SessionEngine) {
    let instance = step.instance.map { session.handles[Int($0)] }
    self.init(
      step, number: number, at: step.start,
      instance: instance ?? session.instances.first?.handle)
  }

  /// A step of a transcript.
  ///
  /// - Parameters:
  ///   - number: the number of the step, from 1.
  ///   - instance: the handle of the instance that a line without a handle is about.
  init(_ step: TranscriptStep, number: Int, at time: Nanoseconds, instance: String?) {
    switch step.action {
    case .input(let input):
      self.init(at: time, step: number, .input)
      let line = step.text.span
      self.instance =
        input.handle.isEmpty ? instance : String(repairing: line.extracting(input.handle))
      name = String(repairing: line.extracting(input.name))
      // A value that is not JSON was an error before the step.
      value = (try? TextLineParser.canonicalValue(of: line, input.value)) ?? []
    case .command(let command): self.init(command, number: number, at: time, instance: instance)
    }
    line = step.numbers.lowerBound
  }

  private init(
    _ command: ScriptCommand, number: Int, at time: Nanoseconds, instance: String?
  ) {
    switch command {
    case .open(let viewModel, let handle, let config):
      self.init(at: time, step: number, .open)
      self.instance = handle ?? ViewModelManifest.defaultHandle(of: viewModel)
      name = viewModel
      config?.append(to: &value)
    case .close(let handle):
      self.init(at: time, step: number, .close)
      self.instance = handle.isEmpty ? instance : handle
    case .reply(let handle, let id, let value):
      self.init(at: time, step: number, .reply)
      (self.instance, self.id, self.value) = (handle ?? instance, id, value)
    case .failure(let handle, let id, let code, let message):
      self.init(at: time, step: number, .error)
      (self.instance, self.id) = (handle ?? instance, id)
      JSONValue.object(["code": .string(code), "message": .string(message)]).append(to: &value)
    case .advance(let span):
      self.init(at: time, step: number, .advance)
      name = TimeSpan.text(span)
    case .advanceUntilIdle:
      self.init(at: time, step: number, .advance)
      name = "idle"
    case .version, .plugin, .seed, .time, .locale, .timeZone, .store, .record, .simulate, .flow,
      .recorded, .end, .skip, .tags, .frame, .control:
      preconditionFailure("this line is no step")
    }
  }
}
