import HostShims

/// A filter for system calls as it is installed, which can be asked what it does with a call.
struct FilterProgram {
  /// What a filter does with a call.
  enum Action: Hashable {
    case allow, kill
    case refuse(errno: Int32)
  }

  let code: [sock_filter]

  /// - Parameter stage: 1 for the filter while a library is loaded, 2 for the one afterwards, or
  ///   a server's.
  init(stage: Int32) {
    var code = [sock_filter](repeating: sock_filter(), count: Int(HOST_FILTER_LIMIT))
    let count = unsafe host_filter(stage, &code)
    self.code = Array(code.prefix(Int(count)))
  }

  #if arch(x86_64)
    static let architecture: UInt32 = 0xC000_003E
  #else
    static let architecture: UInt32 = 0xC000_00B7
  #endif

  /// What it does with a call that has these arguments; those that are missing are 0.
  func action(_ number: Int32, _ arguments: [UInt64]) -> Action {
    let results = actions(number) { half in
      let index = half / 2
      let argument = index < arguments.count ? arguments[index] : 0
      return UInt32(truncatingIfNeeded: half % 2 == 0 ? argument : argument >> 32)
    }
    precondition(results.count == 1)
    return results.first ?? .kill
  }

  /// All that it may do with a call, whatever the arguments are.
  func actions(_ number: Int32) -> Set<Action> { actions(number) { _ in nil } }

  /// - Parameter half: the 32 bits of an argument, by 2 * index + (1 for the higher ones); nil if
  ///   they can be anything.
  private func actions(_ number: Int32, half: (Int) -> UInt32?) -> Set<Action> {
    var found: Set<Action> = []
    var open: [(at: Int, value: UInt32?)] = [(0, 0)]
    while var (at, value) = open.popLast() {
      let step = code[at]
      let classAndMode = (step.code & 7, step.code & 0xf0)
      at += 1
      switch classAndMode {
      case (0, _):  // load
        switch Int(step.k) {
        case 0: value = UInt32(bitPattern: number)
        case 4: value = Self.architecture
        default: value = half((Int(step.k) - 16) / 4)
        }
        open.append((at, value))
      case (4, 0x50): open.append((at, value.map { $0 & step.k }))
      case (5, 0): open.append((at + Int(step.k), value))
      case (5, 0x10), (5, 0x30):
        let isTrue = value.map { classAndMode.1 == 0x10 ? $0 == step.k : $0 >= step.k }
        if isTrue != false { open.append((at + Int(step.jt), value)) }
        if isTrue != true { open.append((at + Int(step.jf), value)) }
      case (6, _): found.insert(Self.action(step.k))
      default: preconditionFailure("no filter has the instruction \(step.code)")
      }
    }
    return found
  }

  private static func action(_ result: UInt32) -> Action {
    switch result >> 16 {
    case 0x7fff: .allow
    case 0x5: .refuse(errno: Int32(result & 0xffff))
    default: .kill
    }
  }
}

/// The calls that a stage allows, from the code of the filter.
struct AllowedCalls {
  /// The numbers by the names.
  let calls: [String: Int32]

  init(stage: Int32, conditional: Bool) {
    var calls: [String: Int32] = [:]
    var entry = unsafe host_calls(stage, conditional ? 1 : 0)
    while let call = unsafe entry?.pointee, let name = unsafe call.name {
      unsafe calls[String(cString: name)] = unsafe call.number
      unsafe entry = entry?.successor()
    }
    self.calls = calls
  }

  var names: Set<String> { Set(calls.keys) }
}
