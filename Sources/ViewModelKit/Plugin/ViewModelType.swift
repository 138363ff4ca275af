import CanonicalJSON

/// A type of view model with its generic type erased: describes it and makes instances.
@ViewModelActor final class ViewModelType {
  let id: String
  private let describe: @ViewModelActor () throws -> JSONValue
  private let make: @ViewModelActor (Environment, [UInt8]) throws -> Instance

  init<Model: ViewModel>(_ model: Model.Type) {
    id = Model.id
    describe = { try Manifest.description(of: Model.self) }
    make = { environment, json in
      let config = try ConfigReader<Model.Config>().read(json.span)
      let model = Model()
      let instance = Instance(viewModelID: Model.id, environment: environment)
      instance.adopt(model)
      model.start(Context(config: config, instance: instance, seed: environment.seed))
      instance.finishStart()
      return instance
    }
  }

  func description() throws -> JSONValue { try describe() }

  /// Makes an instance. Its first events wait to be polled.
  func makeInstance(_ environment: Environment, config: [UInt8]) throws(Refusal) -> Instance {
    do {
      return try make(environment, config)
    } catch let refusal as Refusal {
      throw refusal
    } catch {
      throw Refusal(
        .failed, "Could not make a \"\(id)\": \(JSONCoding.message(for: error)).")
    }
  }
}
