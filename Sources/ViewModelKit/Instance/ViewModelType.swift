import CanonicalJSON

/// A view model's type, as the plugin keeps it: how to describe it and how to make one.
@ViewModelActor final class ViewModelType {
  let id: String
  private let describe: @ViewModelActor () throws -> JSONValue
  private let make: @ViewModelActor (ViewModelType, Environment, [UInt8]) throws -> Instance

  init<Model: ViewModel>(_ model: Model.Type) {
    id = Model.id
    describe = { try Manifest.description(of: Model.self) }
    make = { type, environment, json in
      let config = try ConfigReader<Model.Config>().read(json.span)
      let instance = Instance(type: type, environment: environment)
      instance.start(Model(), config: config)
      return instance
    }
  }

  func description() throws -> JSONValue { try describe() }

  /// Makes an instance whose first events wait to be polled.
  func makeInstance(_ environment: Environment, config: [UInt8]) throws(Refusal) -> Instance {
    do {
      return try make(self, environment, config)
    } catch let refusal as Refusal {
      throw refusal
    } catch {
      throw Refusal(
        .failed, "Could not make a \"\(id)\": \(JSONCoding.message(for: error)).")
    }
  }
}
