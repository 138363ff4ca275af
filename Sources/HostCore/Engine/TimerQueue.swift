/// The timers of a session: earliest deadline first, ties in the order of asking.
///
/// A binary heap; a cancelled timer is skipped when it comes up.
struct TimerQueue {
  struct Timer {
    let deadline: Nanoseconds
    /// Grows with each request of the session, so that ties fire in the order of asking.
    let order: UInt64
    let instance: Int32
    let id: UInt64
  }

  private var heap: [Timer] = []

  var first: Timer? { heap.first }

  mutating func insert(deadline: Nanoseconds, order: UInt64, instance: Int32, id: UInt64) {
    heap.append(Timer(deadline: deadline, order: order, instance: instance, id: id))
    var child = heap.count - 1
    while child > 0, comesBefore(child, (child - 1) / 2) {
      heap.swapAt(child, (child - 1) / 2)
      child = (child - 1) / 2
    }
  }

  mutating func removeFirst() {
    heap.swapAt(0, heap.count - 1)
    heap.removeLast()
    siftDown(from: 0)
  }

  /// Drops the timers for which `isDead` holds; called when many may be, in linear time.
  mutating func removeAll(where isDead: (Timer) -> Bool) {
    heap.removeAll(where: isDead)
    for parent in stride(from: heap.count / 2 - 1, through: 0, by: -1) { siftDown(from: parent) }
  }

  var count: Int { heap.count }

  private mutating func siftDown(from start: Int) {
    var parent = start
    while true {
      var least = parent
      for child in [2 * parent + 1, 2 * parent + 2]
      where child < heap.count && comesBefore(child, least) {
        least = child
      }
      if least == parent { return }
      heap.swapAt(parent, least)
      parent = least
    }
  }

  private func comesBefore(_ a: Int, _ b: Int) -> Bool {
    (heap[a].deadline, heap[a].order) < (heap[b].deadline, heap[b].order)
  }
}
