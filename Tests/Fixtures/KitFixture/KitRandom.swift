import ViewModelKit

struct KitPlace: Codable, Sendable {
  var locale: String
  var timeZone: String
  var epoch: Int64
  var now: Int64
}

final class KitRandom: ViewModel {
  struct Config: ViewModelConfig {
    var sides = 6
    var label: String?
  }

  static let id = "kit.random"

  let roll = Input<Int>()
  let `where` = Input<NoValue>()
  let sides = State(0)
  let rolled = Signal<[Int]>()
  let place = Signal<KitPlace>()

  func start(_ context: Context<Config>) {
    sides.value = context.config.sides
    roll.on { count in
      let numbers = (0..<max(count, 0)).map { _ in
        Int.random(in: 1...max(context.config.sides, 1), using: &context.random)
      }
      self.rolled.emit(numbers)
    }
    `where`.on {
      self.place.emit(
        KitPlace(
          locale: context.locale, timeZone: context.timeZone, epoch: context.epoch,
          now: Int64(context.now / .milliseconds(1))))
    }
  }
}
