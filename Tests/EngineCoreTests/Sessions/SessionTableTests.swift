import Glibc
import LoginProtocol
import TestSupport
import Testing

@testable import EngineCore

@Suite("Open sessions")
struct SessionTableTests {
  private let sessions: TestSessions

  init() throws { sessions = try TestSessions() }

  /// Adds a session with this name in the next slot.
  private func add(_ name: String, to table: inout SessionTable) -> Session {
    let session = sessions.session(name, slot: table.nextSlot)
    table.insert(session)
    return session
  }

  private func find(_ name: String, in table: borrowing SessionTable) -> Session? {
    withBytes(of: name) { table.find($0) }
  }

  @Test("a session is found by its name from its insertion to its removal")
  func finding() {
    var table = SessionTable()
    let session = add("ada", to: &table)
    #expect(find("ada", in: table) === session)
    #expect(find("adb", in: table) == nil)
    #expect(find("", in: table) == nil)
    #expect(table.count == 1)
    table.remove(session)
    #expect(find("ada", in: table) == nil)
    #expect(table.count == 0)
    table.remove(session)
    #expect(table.count == 0)
    #expect(table.nextSlot == 0)
  }

  /// One more property, or padding between properties, can cost 16 bytes for each of a million
  /// sessions.
  @Test("an open session takes at most 200 bytes in addition to its values")
  func size() throws {
    let usableSize = unsafeBitCast(
      try #require(dlsym(nil, "malloc_usable_size")), to: (@convention(c) (UnsafeMutableRawPointer) -> Int).self)
    #expect(usableSize(Unmanaged.passUnretained(sessions.session("ada", slot: 0)).toOpaque()) <= 200)
  }

  @Test("the next new session gets the slot of the session that was removed, and all others keep their slots")
  func slots() {
    var table = SessionTable()
    let all = (0..<5).map { add("s\($0)", to: &table) }
    table.remove(all[1])
    table.remove(all[3])
    #expect(table.session(inSlot: 1) == nil)
    #expect(table.session(inSlot: 2) === all[2])
    #expect(table.nextSlot == 3)
    #expect(add("x", to: &table).slot == 3)
    #expect(add("y", to: &table).slot == 1)
    #expect(add("z", to: &table).slot == 5)
    #expect(table.slots == 6)
    #expect(table.session(inSlot: -1) == nil)
    #expect(table.session(inSlot: 6) == nil)
  }

  @Test("a table that grows loses no session, and removing half of the sessions leaves the other half")
  func growth() {
    var table = SessionTable()
    let all = (0..<1000).map { add("name \($0)", to: &table) }
    #expect(all.allSatisfy { session in session.id.withUnsafeBytes { table.find($0) } === session })
    for session in all where session.slot % 2 == 0 { table.remove(session) }
    for session in all {
      let found = session.id.withUnsafeBytes { table.find($0) }
      #expect((found === session) == (session.slot % 2 == 1))
    }
    #expect(table.count == 500)
  }

  @Test("fetchAhead returns the session whose name was passed to its previous call, if that session exists")
  func fetchingAhead() {
    var table = SessionTable()
    let all = (0..<1001).map { add("\($0)", to: &table) }
    let (many, none) = (table.isLarge, SessionTable().isLarge)
    #expect(many && !none)
    func fetchAhead(_ name: String?) -> Session? {
      guard let name else { return table.fetchAhead(nil)?.takeUnretainedValue() }
      return withBytes(of: name) { table.fetchAhead($0)?.takeUnretainedValue() }
    }
    #expect(fetchAhead("0") == nil)
    for session in all {
      let next = session.slot + 1 < all.count ? "\(session.slot + 1)" : "nobody"
      #expect(fetchAhead(next) === session)
    }
    #expect(fetchAhead("7") == nil)
    table.remove(all[7])
    #expect(fetchAhead(nil) == nil)
    #expect(fetchAhead("8") == nil)
    #expect(fetchAhead(nil) === all[8])
  }

  @Test("sessions whose names have the same place in the hash table are all found, even after one was removed")
  func collisions() {
    // A new table has 16 places, so some of these names have the same place.
    for seed in 0..<200 {
      var table = SessionTable()
      let all = (0..<11).map { add("\(seed).\($0)", to: &table) }
      for removed in all {
        table.remove(removed)
        for other in all {
          let found = other.id.withUnsafeBytes { table.find($0) }
          let isOpen = other.slot > removed.slot
          guard (found === other) == isOpen else {
            Issue.record("seed \(seed), \(removed.slot), \(other.slot)")
            return
          }
        }
      }
    }
  }

  @Test("a generated session name is never that of an open session, and none is generated twice")
  func names() {
    var table = SessionTable()
    _ = add("s2", to: &table)
    #expect(table.makeName().bytes == Array("s1".utf8))
    #expect(table.makeName().bytes == Array("s3".utf8))
    #expect(table.makeName().bytes == Array("s4".utf8))
  }

  @Test("the table records the slots of sessions whose views are presenting")
  func presenting() {
    var table = SessionTable()
    table.notePresenting(true, inSlot: 4)
    table.notePresenting(true, inSlot: 2)
    table.notePresenting(true, inSlot: 4)
    #expect(table.presenting == [2, 4])
    table.notePresenting(false, inSlot: 4)
    table.notePresenting(false, inSlot: 7)
    #expect(table.presenting == [2])
  }

  @Test(
    "after random insertions and removals, a session table finds the same sessions as a dictionary", arguments: seeds)
  func walk(seed: UInt64) {
    var generator = SeededRandom(seed: seed)
    var table = SessionTable()
    var model: [String: Session] = [:]
    for step in 0..<20_000 {
      // The names are few, so that sessions are removed and added in the same places. At times they
      // are more, so that the table grows and is rebuilt.
      let name = "n\(Int.random(in: 0..<(step % 5000 < 4000 ? 24 : 400), using: &generator))"
      let known = model[name]
      guard find(name, in: table) === known else {
        Issue.record("\(name), step \(step), seed \(seed)")
        return
      }
      if let known {
        table.remove(known)
        model[name] = nil
      } else {
        model[name] = add(name, to: &table)
      }
      guard table.count == model.count else {
        Issue.record("count, step \(step), seed \(seed)")
        return
      }
    }
    for (name, session) in model {
      #expect(find(name, in: table) === session)
      #expect(table.session(inSlot: session.slot) === session)
    }
  }
}
