import ViewModelKit

struct KitPoint: Codable, Sendable {
  var x: Int
  var y: Int?
}

final class KitPorts: ViewModel {
  static let id = "kit.ports"

  let setText = Input<String>()
  let setNumber = Input<Int>()
  let setAmount = Input<Double>()
  let setFlag = Input<Bool>()
  let setMaybe = Input<String?>()
  let setList = Input<[String]>()
  let setPoint = Input<KitPoint>()
  let setAny = Input<JSONValue>()
  let tap = Input<NoValue>()

  let text = State("")
  let number = State(0)
  let amount = State(0.5)
  let flag = State(false, .distinct)
  let maybe = State<String?>(nil)
  let list = State<[String]>([])
  let point = State(KitPoint(x: 0))
  let any = State(JSONValue.null)

  let said = Signal<String>()
  let tapped = Signal<NoValue>()

  func start(_ context: Context<NoConfig>) {
    setText.on { self.text.value = $0 }
    setText.on { self.said.emit($0) }
    setNumber.on { self.number.value = $0 }
    setAmount.on { self.amount.value = $0 }
    setFlag.on { self.flag.value = $0 }
    setMaybe.on { self.maybe.value = $0 }
    setList.on { self.list.value = $0 }
    setPoint.on { self.point.value = $0 }
    setAny.on { self.any.value = $0 }
    tap.on { self.tapped.emit() }
  }
}
