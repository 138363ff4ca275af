import Basics

/// The timers of a session: earliest deadline first, ties in the order of asking.
///
/// The queue keeps cancelled timers. Its user skips them when they come up.
struct TimerQueue {
  struct Timer: Comparable {
    let deadline: Nanoseconds
    /// Grows with each request of the session, so that ties fire in the order of asking.
    let order: UInt64
    let instance: Int32
    let id: UInt64

    static func < (one: Timer, other: Timer) -> Bool {
      (one.deadline, one.order) < (other.deadline, other.order)
    }
  }

  private var heap = BinaryHeap<Timer>()

  var count: Int { heap.count }

  var first: Timer? { heap.first }

  mutating func insert(deadline: Nanoseconds, order: UInt64, instance: Int32, id: UInt64) {
    heap.insert(Timer(deadline: deadline, order: order, instance: instance, id: id))
  }

  mutating func removeFirst() { heap.removeFirst() }

  /// Drops the timers for which `isDead` holds, in linear time. It is called when many may be dead.
  mutating func removeAll(where isDead: (Timer) -> Bool) { heap.removeAll(where: isDead) }
}
