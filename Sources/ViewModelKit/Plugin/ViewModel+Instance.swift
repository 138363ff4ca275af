import CanonicalJSON

extension ViewModel {
  /// Makes an instance. Its first events wait to be polled.
  static func makeInstance(
    _ environment: Environment, config json: [UInt8]
  ) throws(Refusal) -> Instance {
    do {
      let config = json.isEmpty ? Config() : try ConfigReader<Config>.shared().read(json.span)
      let before = Image.partNames[ObjectIdentifier(Self.self)]
      let (model, made) = Making.watch(count: before?.count ?? 0) { Self() }
      let parts = try Parts(of: model, made: consume made, before: before)
      let instance = Instance(viewModelID: id, environment: environment)
      instance.adopt(model, parts)
      let (_, late) = Making.watch {
        model.start(Context(config: config, instance: instance, seed: environment.seed))
      }
      if let part = late.first {
        instance.destroy()
        throw PartMistake.late(part, in: "its start")
      }
      instance.finishStart()
      return instance
    } catch let refusal as Refusal {
      throw refusal
    } catch let mistake as PartMistake {
      throw Refusal(.failed, "\(mistake).")
    } catch {
      throw Refusal(.failed, "Could not make a \"\(id)\": \(JSONCoding.message(for: error)).")
    }
  }
}
