import TestSupport
import Testing

@testable import EngineCore

@Suite("Timers")
struct TimerQueueTests {
  @Test("timers with the same deadline expire in the order in which they were scheduled")
  func ties() {
    var queue = TimerQueue<Int>()
    for number in 0..<100 { queue.schedule(at: number < 50 ? 20 : 10, number) }
    var popped: [Int] = []
    while let next = queue.popExpired(now: 20) { popped.append(next) }
    #expect(popped == Array(50..<100) + Array(0..<50))
  }

  @Test("a timer expires once, at its deadline")
  func once() {
    var queue = TimerQueue<String>()
    let id = queue.schedule(at: 10, "a")
    #expect(queue.nextDeadline == 10)
    #expect(queue.popExpired(now: 9) == nil)
    #expect(queue.popExpired(now: 10) == "a")
    #expect(queue.popExpired(now: .max) == nil)
    #expect(queue.cancel(id) == nil)
    #expect(queue.nextDeadline == nil)
  }

  @Test("the id of an expired timer does not cancel the timer that reuses its slot")
  func names() {
    var queue = TimerQueue<String>()
    let old = queue.schedule(at: 1, "old")
    #expect(queue.cancel(old) == "old")
    queue.schedule(at: 1, "new")
    #expect(queue.cancel(old) == nil)
    #expect(queue.popExpired(now: 1) == "new")
  }

  @Test("the memory of a timer queue does not grow with the number of timers that were scheduled and cancelled")
  func bounded() {
    var queue = TimerQueue<Int>()
    queue.schedule(at: 5, -1)
    var places: Set<UInt32> = []
    for number in 0..<Workload.amount(1_000_000, atLeast: 100_000) {
      let id = queue.schedule(at: UInt64(number), number)
      places.insert(id.slot)
      queue.cancel(id)
    }
    #expect(queue.count == 1)
    #expect(places.count == 1)
  }

  @Test(
    "after random operations, timers expire in the same order as in a sorted array",
    arguments: [1, 2, 3, UInt64.random(in: 0 ... .max)])
  func walk(seed: UInt64) {
    var generator = SeededRandom(seed: seed)
    var queue = TimerQueue<Int>()
    var model: [(deadline: UInt64, payload: Int, id: TimerID)] = []
    var now: UInt64 = 0
    for step in 0..<20_000 {
      switch Int.random(in: 0..<10, using: &generator) {
      case 0..<5:
        let deadline = now + UInt64.random(in: 0..<50, using: &generator)
        let id = queue.schedule(at: deadline, step)
        let place = model.firstIndex { $0.deadline > deadline } ?? model.endIndex
        model.insert((deadline, step, id), at: place)
      case 5..<7:
        guard let index = model.indices.randomElement(using: &generator) else { continue }
        let removed = model.remove(at: index)
        guard queue.cancel(removed.id) == removed.payload, queue.cancel(removed.id) == nil else {
          Issue.record("cancel, step \(step), seed \(seed)")
          return
        }
      default:
        now += UInt64.random(in: 0..<20, using: &generator)
        let expected = model.prefix { $0.deadline <= now }.map(\.payload)
        model.removeFirst(expected.count)
        var popped: [Int] = []
        while let next = queue.popExpired(now: now) { popped.append(next) }
        guard popped == expected else {
          Issue.record("expired \(popped), not \(expected), step \(step), seed \(seed)")
          return
        }
      }
      guard queue.nextDeadline == model.first?.deadline, queue.count == model.count else {
        Issue.record("next deadline, step \(step), seed \(seed)")
        return
      }
    }
  }
}
