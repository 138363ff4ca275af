import ViewModelKit

/// One input for each act.
final class ConfinedActs: ViewModel {
  static let id = "confined.acts"

  let thread = Input<NoValue>()
  let pthread = Input<NoValue>()
  let mainQueue = Input<NoValue>()
  let globalQueue = Input<NoValue>()
  let ownQueue = Input<NoValue>()
  let concurrentPerform = Input<NoValue>()
  let asyncAfter = Input<NoValue>()
  let timer = Input<NoValue>()
  let runLoop = Input<NoValue>()
  let urlSession = Input<NoValue>()
  let readData = Input<NoValue>()
  let readString = Input<NoValue>()
  let writeData = Input<NoValue>()
  let listFolder = Input<NoValue>()
  let makeFile = Input<NoValue>()
  let openFile = Input<NoValue>()
  let fileHandle = Input<NoValue>()
  let socket = Input<NoValue>()
  let defaults = Input<NoValue>()
  let process = Input<NoValue>()
  let spawn = Input<NoValue>()
  let execute = Input<NoValue>()
  let system = Input<NoValue>()
  let pipe = Input<NoValue>()
  let exit = Input<NoValue>()
  let abort = Input<NoValue>()
  let fatal = Input<NoValue>()
  let index = Input<NoValue>()
  let timeZone = Input<NoValue>()
  let done = Signal<String>()

  func start(_ context: Context<NoConfig>) {
    let inputs: [(Input<NoValue>, Act)] = [
      (thread, .thread), (pthread, .pthread), (mainQueue, .mainQueue),
      (globalQueue, .globalQueue), (ownQueue, .ownQueue),
      (concurrentPerform, .concurrentPerform), (asyncAfter, .asyncAfter), (timer, .timer),
      (runLoop, .runLoop), (urlSession, .urlSession), (readData, .readData),
      (readString, .readString), (writeData, .writeData), (listFolder, .listFolder),
      (makeFile, .makeFile), (openFile, .openFile), (fileHandle, .fileHandle),
      (socket, .socket), (defaults, .defaults), (process, .process), (spawn, .spawn),
      (execute, .execute), (system, .system), (pipe, .pipe),
      (exit, .exit), (abort, .abort), (fatal, .fatal), (index, .index), (timeZone, .timeZone),
    ]
    for (input, act) in inputs {
      input.on { self.done.emit(act.perform()) }
    }
  }
}

/// Makes an act while it is opened.
final class ConfinedOpening: ViewModel {
  static let id = "confined.opened"

  struct Config: ViewModelConfig {
    var act = ""
  }

  let done = Signal<String>()

  func start(_ context: Context<Config>) {
    guard let act = Act(rawValue: context.config.act) else { return }
    done.emit(act.perform())
  }
}
