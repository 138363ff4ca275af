import ViewModelKit

// MARK: Held where the kit doesn't take parts from

final class InArray: Mistaken {
  let rows = [State(0), State(1)]

  func start(_ context: Context<NoConfig>) {}
}

final class InDictionary: Mistaken {
  let rows = ["first": Input<Int>()]

  func start(_ context: Context<NoConfig>) {}
}

final class InSet: Mistaken {
  final class Row: Sendable {
    let tapped = Input<NoValue>()
  }

  let rows: Set<HashableRow> = [HashableRow(row: Row())]

  func start(_ context: Context<NoConfig>) {}
}

struct HashableRow: Hashable {
  let row: InSet.Row

  static func == (one: HashableRow, other: HashableRow) -> Bool { one.row === other.row }
  func hash(into hasher: inout Hasher) {}
}

final class InTuple: Mistaken {
  let paging = (next: Input<NoValue>(), page: State(1))

  func start(_ context: Context<NoConfig>) {}
}

final class InEnum: Mistaken {
  enum Mode {
    case idle
    case loaded(Signal<Int>)
  }

  let mode = Mode.loaded(Signal())

  func start(_ context: Context<NoConfig>) {}
}

// MARK: Made too late

final class IsLazy: Mistaken {
  lazy var title = State("")

  func start(_ context: Context<NoConfig>) { title.value = "Cart" }
}

final class NestedLazy: Mistaken {
  @ViewModelActor final class Outputs {
    lazy var title = State("")
    let total = State(0)
  }

  let outputs = Outputs()

  func start(_ context: Context<NoConfig>) {}
}

final class IsComputed: Mistaken {
  var title: State<String> { State("") }

  func start(_ context: Context<NoConfig>) { title.value = "Cart" }
}

final class LateOptional: Mistaken {
  var load: Work?

  func start(_ context: Context<NoConfig>) { load = Work(.latest) }
}

final class ComputedInHandler: Mistaken {
  let tapped = Input<NoValue>()
  var http: HTTP { HTTP() }

  func start(_ context: Context<NoConfig>) {
    tapped.on { _ = self.http }
  }
}

// MARK: Held by no property

final class LocalInInit: Mistaken {
  let show: () -> Int

  init() {
    let total = State(0)
    total.value = 1
    show = { 1 }
  }

  func start(_ context: Context<NoConfig>) {}
}

final class UnusedInInit: Mistaken {
  let total = State(0)

  init() { _ = Effect<String, String>("geo.locate") }

  func start(_ context: Context<NoConfig>) {}
}

final class Captured: Mistaken {
  let total = State(0)
  let show: @ViewModelActor (Int) -> Void

  init() {
    let shown = State(0)
    show = { shown.value = $0 }
  }

  func start(_ context: Context<NoConfig>) { show(1) }
}

final class IsStatic: Mistaken {
  static let shown = Signal<Int>()

  init() { Self.shown.emit(1) }

  func start(_ context: Context<NoConfig>) {}
}

final class StaticInStart: Mistaken {
  static let shown = Signal<Int>()

  func start(_ context: Context<NoConfig>) { Self.shown.emit(1) }
}

final class IsShared: Mistaken {
  @ViewModelActor final class Repository {
    static let shared = Repository()
    let http = HTTP()
  }

  let total = State(0)
  let repository = Repository.shared

  func start(_ context: Context<NoConfig>) {}
}

// MARK: Named alike, or not always there

final class SameInputs: Mistaken {
  struct List { let tapped = Input<NoValue>() }
  struct Footer { let tapped = Input<NoValue>() }

  let list = List()
  let footer = Footer()

  func start(_ context: Context<NoConfig>) {}
}

final class SameOutputs: Mistaken {
  struct Outputs { let title = State("") }

  let title = Signal<String>()
  let outputs = Outputs()

  func start(_ context: Context<NoConfig>) {}
}

@ViewModelActor class Base {
  private let tapped = Input<NoValue>()
}

final class SameAsSuper: Base, Mistaken {
  let tapped = Input<NoValue>()

  override init() { super.init() }

  func start(_ context: Context<NoConfig>) {}
}

final class Changing: Mistaken {
  static var count = 0
  let total = State(0)
  var extra: State<Int>?

  init() {
    Self.count += 1
    if Self.count == 1 { extra = State(1) }
  }

  func start(_ context: Context<NoConfig>) {}
}
