import HostCore

/// By a variable, because libFuzzer has the command line.
private let target: FuzzTarget = {
  let name = Environment.value("VMHOST_FUZZ_TARGET") ?? ""
  guard let target = FuzzTarget(rawValue: name) else {
    fatalError("VMHOST_FUZZ_TARGET names no target: \"\(name)\"")
  }
  return target
}()

/// What libFuzzer calls with each input.
@c(LLVMFuzzerTestOneInput)
public func checkOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
  let input = unsafe [UInt8](UnsafeBufferPointer(start: start, count: count))
  do throws(FuzzFinding) { try target.check(input) } catch { fatalError("\(error)") }
  return 0
}
