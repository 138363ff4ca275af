import ViewModelKit

struct KitMistake: Error, CustomStringConvertible {
  var description: String
}

final class KitFaults: ViewModel {
  static let id = "kit.faults"

  let throwNow = Input<NoValue>()
  let throwLater = Input<NoValue>()
  let throwTwice = Input<NoValue>()
  let fine = Input<NoValue>()
  let log = Input<String>()
  let trap = Input<Int>()
  let ok = Signal<NoValue>()

  let timer = Timer()
  let work = Work(.queued)

  func start(_ context: Context<NoConfig>) {
    throwNow.on { throw KitMistake(description: "thrown now") }
    throwLater.start(work) {
      try await self.timer.sleep(for: .seconds(1))
      throw KitMistake(description: "thrown later")
    }
    throwTwice.on { throw KitMistake(description: "first") }
    throwTwice.on { throw KitMistake(description: "second") }
    fine.on { self.ok.emit() }
    trap.on { index in
      if Self.element(at: index) > 0 { self.ok.emit() }
    }
    log.on { text in
      for level in [LogLevel.debug, .info, .warning, .error] { context.log(level, text) }
    }
  }

  @inline(never) private static func element(at index: Int) -> Int { [1, 2, 3][index] }
}
