import CanonicalJSON

// Checks values and configs against the schemas of their plugin's manifest, before it gets them.
extension SessionEngine {
  /// Cuts a batch at the first input whose value doesn't fit.
  func cutAtMisfit(_ batch: inout InputBatch) {
    guard let misfit = firstMisfit(in: batch) else { return }
    batch.cut(at: misfit.index, misfit.error)
  }

  private func firstMisfit(
    in batch: borrowing InputBatch
  ) -> (index: Int, error: SessionError)? {
    let records = batch.events.records
    var index = batch.next
    while index < records.count {
      // Inputs of one port usually follow each other, and looking at the port costs more than most
      // checks.
      let (number, port) = (records[index].instance, records[index].port)
      var end = index + 1
      while end < records.count, records[end].instance == number, records[end].port == port {
        end += 1
      }
      if let instance = living[number],
        let validator = instance.viewModel.inputs[Int(port)].validator,
        let first = Self.firstMisfit(in: batch.events, index..<end, validator)
      {
        let content = batch.events.bytes
        let value = content.span.extracting(records[first].value)
        guard let error = misfit(value, Int(port), of: instance) else { return nil }
        return (first, error.about(first, of: batch))
      }
      index = end
    }
    return nil
  }

  private static func firstMisfit(
    in events: borrowing EventBatch, _ range: Range<Int>, _ validator: SchemaValidator
  ) -> Int? {
    let (content, records) = (events.bytes, events.records)
    let bytes = content.span
    for index in range
    where !validator.accepts(canonical: bytes.extracting(records[index].value)) {
      return index
    }
    return nil
  }

  /// The error for the value of an input that doesn't fit its schema; nil if it does.
  ///
  /// - Parameter value: canonical JSON, or empty for none.
  func misfit(_ value: Span<UInt8>, _ port: Int, of instance: SessionInstance) -> SessionError? {
    let input = instance.viewModel.inputs[port]
    guard let validator = input.validator, !validator.accepts(canonical: value) else { return nil }
    guard value.count > 0 else {
      return SessionError(
        .refused(.value), "\(instance.handle) needs a value for \"\(input.name)\".")
    }
    return SessionError(
      .refused(.value),
      "\(instance.handle) can't take this value for \"\(input.name)\":"
        + " \(mismatch(of: value, validator)).")
  }

  /// - Parameter config: canonical JSON that holds the secrets themselves, or empty.
  /// - Throws: `refused`, if it doesn't fit the view model's schema.
  func check(config: [UInt8], of viewModel: ViewModelManifest) throws(SessionError) {
    guard !config.isEmpty, let validator = viewModel.configValidator,
      !validator.accepts(canonical: config.span)
    else { return }
    throw SessionError(
      .refused(.config),
      "\(viewModel.id) can't take this config: \(mismatch(of: config.span, validator)).")
  }

  /// Why a value doesn't fit, in words without secrets.
  func mismatch(of value: Span<UInt8>, _ validator: SchemaValidator) -> String {
    do throws(JSONError) {
      guard var mismatch = try validator.mismatch(of: value) else { return "it doesn't fit" }
      // Before the description cuts it, which could leave the beginning of a secret.
      mismatch.found = mismatch.found.map(secrets.redacted)
      return secrets.redacted(mismatch.description).terminalSafeLine
    } catch { return "it is not JSON: \(error)" }
  }
}
