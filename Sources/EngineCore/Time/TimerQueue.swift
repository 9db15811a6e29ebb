/// The identity of a scheduled timer. A queue never uses it for another timer.
struct TimerID: Hashable, Sendable {
  let slot: UInt32
  let generation: UInt32

  /// A value that means that there is no timer. No timer can have it as its id, because there is
  /// not enough memory for so many slots.
  static var none: TimerID { TimerID(slot: .max, generation: .max) }
}

/// A queue of timers in the order of their deadlines. Timers with the same deadline are in the
/// order in which they were scheduled.
///
/// The queue has no clock: callers pass in the time. It is a binary heap of entries. Each timer
/// also has a slot that holds its position in the heap, so that cancelling takes O(log n). The
/// memory is proportional to the largest number of timers that were scheduled at the same time.
struct TimerQueue<Payload> {
  private struct Entry {
    var deadline: UInt64
    var order: UInt64
    var slot: UInt32

    func isBefore(_ other: Entry) -> Bool {
      deadline != other.deadline ? deadline < other.deadline : order < other.order
    }
  }

  private struct Slot {
    var generation: UInt32 = 0
    /// The index of the entry in the heap.
    var position: Int = 0
    /// The timer's payload; `nil` if the slot is free.
    var payload: Payload?
  }

  private var heap: [Entry] = []
  private var slots: [Slot] = []
  private var free: [UInt32] = []
  private var scheduled: UInt64 = 0

  /// The number of scheduled timers.
  var count: Int { heap.count }

  /// The earliest deadline of all timers; `nil` if there is none.
  var nextDeadline: UInt64? { heap.first?.deadline }

  /// Schedules `payload`, which `popExpired` returns as soon as `deadline` is reached.
  @discardableResult
  mutating func schedule(at deadline: UInt64, _ payload: Payload) -> TimerID {
    let slot: UInt32
    if let reused = free.popLast() {
      slot = reused
    } else {
      slot = UInt32(slots.count)
      slots.append(Slot())
    }
    slots[Int(slot)].payload = payload
    scheduled += 1
    heap.append(Entry(deadline: deadline, order: scheduled, slot: slot))
    siftUp(heap.count - 1)
    return TimerID(slot: slot, generation: slots[Int(slot)].generation)
  }

  /// Cancels a timer. Returns its payload, or `nil` if it has expired or was cancelled before.
  @discardableResult
  mutating func cancel(_ id: TimerID) -> Payload? {
    let slot = Int(id.slot)
    guard slot < slots.count, slots[slot].generation == id.generation, slots[slot].payload != nil else { return nil }
    return remove(at: slots[slot].position)
  }

  /// Removes the earliest timer, if its deadline is `now` or earlier, and returns its payload.
  mutating func popExpired(now: UInt64) -> Payload? {
    guard let first = heap.first, first.deadline <= now else { return nil }
    return remove(at: 0)
  }

  private mutating func remove(at position: Int) -> Payload? {
    let slot = Int(heap[position].slot)
    let last = heap.removeLast()
    if position < heap.count {
      heap[position] = last
      slots[Int(last.slot)].position = position
      siftUp(position)
      siftDown(slots[Int(last.slot)].position)
    }
    slots[slot].generation &+= 1
    free.append(UInt32(slot))
    let payload = slots[slot].payload
    slots[slot].payload = nil
    return payload
  }

  private mutating func siftUp(_ start: Int) {
    let entry = heap[start]
    var position = start
    while position > 0 {
      let parent = (position - 1) / 2
      guard entry.isBefore(heap[parent]) else { break }
      place(heap[parent], at: position)
      position = parent
    }
    place(entry, at: position)
  }

  private mutating func siftDown(_ start: Int) {
    let entry = heap[start]
    var position = start
    while true {
      var child = 2 * position + 1
      guard child < heap.count else { break }
      if child + 1 < heap.count, heap[child + 1].isBefore(heap[child]) { child += 1 }
      guard heap[child].isBefore(entry) else { break }
      place(heap[child], at: position)
      position = child
    }
    place(entry, at: position)
  }

  private mutating func place(_ entry: Entry, at position: Int) {
    heap[position] = entry
    slots[Int(entry.slot)].position = position
  }
}
