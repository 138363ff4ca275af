import Foundation
import Glibc
import ViewModelKit

/// What the C library, Foundation and the standard library say of the world.
final class Surroundings: ViewModel {
  static let id = "sources.surroundings"

  let date = Input<NoValue>()
  let clocks = Input<NoValue>()
  let uuid = Input<NoValue>()
  let random = Input<NoValue>()
  let setOrder = Input<NoValue>()
  let doubles = Input<NoValue>()
  let place = Input<NoValue>()
  let addresses = Input<NoValue>()
  let processID = Input<NoValue>()
  let usage = Input<NoValue>()
  let globals = Input<NoValue>()
  /// Crashes without a word where hashes differ from run to run.
  let crashIfVaried = Input<NoValue>()
  /// Crashes, if that is asked for, in a process that got this before.
  let crashIfUsed = Input<Bool>()
  let saw = Signal<String>()

  private static var calls = 0

  func start(_ context: Context<NoConfig>) {
    date.on { self.saw.emit("\(Date().timeIntervalSince1970)") }
    clocks.on { self.saw.emit(self.readClocks()) }
    uuid.on { self.saw.emit("\(UUID()) \(UUID())") }
    random.on { self.saw.emit(self.readRandom()) }
    setOrder.on {
      let words = Set((0..<20).map { "word\($0)" })
      let numbers = Dictionary(uniqueKeysWithValues: (0..<20).map { ($0, $0) })
      self.saw.emit("\(words.joined(separator: " ")) \(numbers.keys.map(String.init))")
    }
    doubles.on {
      self.saw.emit(
        "\(0.1 + 0.2) \(sin(1e10)) \(pow(2.5, 0.1)) \(String(format: "%.3f", 2.0005)) "
          + "\(Double.pi.formatted())")
    }
    place.on {
      let environment = ProcessInfo.processInfo.environment.sorted { $0.key < $1.key }
      self.saw.emit(
        "\(TimeZone.current.identifier) \(Locale.current.identifier) "
          + "\(FileManager.default.currentDirectoryPath) "
          + "\(environment.map { "\($0.key)=\($0.value)" })")
    }
    addresses.on {
      let objects = (0..<8).map { _ in Token() }
      let order = Dictionary(
        uniqueKeysWithValues: objects.enumerated().map { (ObjectIdentifier($1), $0) })
      self.saw.emit("\(ObjectIdentifier(objects[0])) \(order.values.map { $0 })")
    }
    processID.on { self.saw.emit("\(getpid())") }
    usage.on { self.saw.emit("\(self.readUsage())") }
    crashIfVaried.on {
      if ProcessInfo.processInfo.environment["SWIFT_DETERMINISTIC_HASHING"] == nil { abort() }
    }
    crashIfUsed.on { crashes in
      if crashes, Self.calls > 0 { abort() }
      Self.calls += 1
      self.saw.emit("counted")
    }
    globals.on {
      Self.calls += 1
      self.saw.emit("\(Self.calls)")
    }
  }

  private final class Token {}

  private func readClocks() -> String {
    var moment = timeval()
    unsafe gettimeofday(&moment, nil)
    var precise = timespec()
    unsafe timespec_get(&precise, TIME_UTC)
    let continuous = ContinuousClock.now.duration(to: .now)
    let uptime = Duration.seconds(ProcessInfo.processInfo.systemUptime)
    return "\(moment.tv_sec).\(moment.tv_usec) \(time(nil)) \(precise.tv_nsec) \(clock()) "
      + "\(continuous) \(uptime)"
  }

  private func readRandom() -> String {
    var bytes = [UInt8](repeating: 0, count: 5)
    _ = unsafe getentropy(&bytes, 5)
    var generator = SystemRandomNumberGenerator()
    return "\(bytes) \(UInt64.random(in: 0 ... .max)) \(generator.next() as UInt32) "
      + "\((0..<8).shuffled()) \(rand()) \(drand48())"
  }

  /// What the process used, which the system counts.
  private func readUsage() -> Int {
    var found = rusage()
    unsafe getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &found)
    return (found.ru_utime.tv_usec + found.ru_stime.tv_usec) * 1_000_000 + found.ru_minflt
  }
}
