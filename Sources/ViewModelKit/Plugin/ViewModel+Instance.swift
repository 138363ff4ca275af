import CanonicalJSON

extension ViewModel {
  /// Makes an instance. Its first events wait to be polled.
  static func makeInstance(
    _ environment: Environment, config json: [UInt8]
  ) throws(Refusal) -> Instance {
    do {
      let config = try ConfigReader<Config>().read(json.span)
      let model = Self()
      let instance = Instance(viewModelID: id, environment: environment)
      instance.adopt(model)
      model.start(Context(config: config, instance: instance, seed: environment.seed))
      instance.finishStart()
      return instance
    } catch let refusal as Refusal {
      throw refusal
    } catch {
      throw Refusal(.failed, "Could not make a \"\(id)\": \(JSONCoding.message(for: error)).")
    }
  }
}
