import CPortable
import LoginMachine
import LoginProtocol

/// The open sessions by name and by slot. A session keeps its slot while it is open.
struct SessionTable: ~Copyable {
  /// The initial states of sessions.
  private var blanks = BlankSessions()
  /// A hash table with open addressing. An entry is half a hash, a slot and the session, so that a
  /// lookup touches one cache line here before the session itself, and growing touches no session.
  private var entries = [Entry](repeating: .empty, count: 16)
  private var sessions: [Session?] = []
  private var freeSlots: [Int] = []
  private(set) var count = 0

  private struct Entry {
    var hash: UInt32
    /// `UInt32.max` for an entry that was never used, one less for one that was removed.
    var slot: UInt32
    /// Unretained; `sessions` keeps it alive.
    var session: Unmanaged<Session>?

    static var empty: Entry { Entry(hash: 0, slot: .max) }
    static var removed: Entry { Entry(hash: 0, slot: .max - 1) }
    var isEmpty: Bool { slot == .max }
    var isSession: Bool { session != nil }
  }
  private var removedEntries = 0
  /// The hash of the name whose entry was prefetched last.
  private var fetched: UInt32?
  /// The number of names that were generated.
  private var madeNames: UInt64 = 0
  /// The slots of the sessions whose views are presenting.
  private(set) var presenting: Set<Int> = []

  /// The session with a name.
  func find(_ id: UnsafeRawBufferPointer) -> Session? { findUnretained(id)?.takeUnretainedValue() }

  /// The same without retaining it. Valid while the session is in the table.
  @inline(__always) func findUnretained(_ id: UnsafeRawBufferPointer) -> Unmanaged<Session>? {
    let key = SessionName.Key(id)
    return entries.withUnsafeBufferPointer { entries in
      let mask = entries.count &- 1
      var index = Int(key.hash) & mask
      while !entries[index].isEmpty {
        if entries[index].hash == key.hash, let session = entries[index].session,
          session.lend({ key.isSame(as: $0.id) })
        {
          return session
        }
        index = (index &+ 1) & mask
      }
      return nil
    }
  }

  // MARK: Initial states

  /// See `BlankSessions.machine`.
  mutating func blankMachine(of template: FlowTemplate, on screen: Int) -> SessionMachine {
    blanks.machine(of: template, on: screen)
  }

  /// See `BlankSessions.update`.
  mutating func blankUpdate(
    of template: FlowTemplate, on screen: Int, detail: UpdateDetail, make: () -> [UInt8]
  ) -> [UInt8] {
    blanks.update(of: template, on: screen, detail: detail, make: make)
  }

  // MARK: Prefetching

  /// Whether there are so many sessions that they do not fit into the caches, so that prefetching
  /// pays.
  var isLarge: Bool { count > 1_000 }

  /// Prefetches the entry of a name that is looked up after the next one, and the session whose
  /// name was passed here last. Returns that session, if it exists.
  mutating func fetchAhead(_ name: UnsafeRawBufferPointer?) -> Unmanaged<Session>? {
    let last = fetched
    fetched = name.map { SessionName.Key($0).hash }
    if let fetched { fetchEntry(of: fetched) }
    return last.flatMap { fetchSession(of: $0) }
  }

  private func fetchEntry(of hash: UInt32) {
    entries.withUnsafeBufferPointer { entries in
      if let start = entries.baseAddress { cportable_prefetch(start + (Int(hash) & (entries.count &- 1))) }
    }
  }

  private func fetchSession(of hash: UInt32) -> Unmanaged<Session>? {
    entries.withUnsafeBufferPointer { entries in
      let mask = entries.count &- 1
      var index = Int(hash) & mask
      while !entries[index].isEmpty {
        if entries[index].hash == hash, let session = entries[index].session {
          // All of its cache lines.
          for offset in stride(from: 0, to: 256, by: 64) { cportable_prefetch(session.toOpaque() + offset) }
          return session
        }
        index = (index &+ 1) & mask
      }
      return nil
    }
  }

  /// A name that no session has, and that was not generated before.
  mutating func makeName() -> SessionName {
    while true {
      madeNames += 1
      let name = SessionName("s\(madeNames)")
      if name.withUnsafeBytes({ find($0) }) == nil { return name }
    }
  }

  /// Records whether the view of the session in a slot is presenting.
  mutating func notePresenting(_ isPresenting: Bool, inSlot slot: Int) {
    if isPresenting { presenting.insert(slot) } else { presenting.remove(slot) }
  }

  /// The slot of the next session.
  var nextSlot: Int { freeSlots.last ?? sessions.count }

  /// Adds a session in slot `nextSlot`. Its name must be free.
  mutating func insert(_ session: Session) {
    if freeSlots.last == session.slot {
      freeSlots.removeLast()
      sessions[session.slot] = session
    } else {
      sessions.append(session)
    }
    count += 1
    if (count + removedEntries) * 8 > entries.count * 7 { rebuild() }
    place(
      Entry(hash: session.id.hash, slot: UInt32(truncatingIfNeeded: session.slot), session: .passUnretained(session)))
  }

  /// Removes a session.
  mutating func remove(_ session: Session) {
    let mask = entries.count - 1
    var index = Int(session.id.hash) & mask
    while !entries[index].isEmpty {
      if entries[index].isSession, Int(entries[index].slot) == session.slot {
        entries[index] = .removed
        removedEntries += 1
        sessions[session.slot] = nil
        freeSlots.append(session.slot)
        count -= 1
        return
      }
      index = (index + 1) & mask
    }
  }

  /// The session in a slot.
  func session(inSlot slot: Int) -> Session? {
    sessions.indices.contains(slot) ? sessions[slot] : nil
  }

  /// The number of slots, used or free.
  var slots: Int { sessions.count }

  private mutating func place(_ entry: Entry) {
    let mask = entries.count - 1
    var index = Int(entry.hash) & mask
    while entries[index].isSession { index = (index + 1) & mask }
    if !entries[index].isEmpty { removedEntries -= 1 }
    entries[index] = entry
  }

  private mutating func rebuild() {
    let old = entries
    var capacity = 16
    while capacity * 2 < count * 3 { capacity *= 2 }
    entries = [Entry](repeating: .empty, count: capacity)
    removedEntries = 0
    for (index, entry) in old.enumerated() {
      // The new places are scattered, so the place of a later entry is prefetched.
      if index + 16 < old.count { fetchEntry(of: old[index + 16].hash) }
      if entry.isSession { place(entry) }
    }
  }
}
