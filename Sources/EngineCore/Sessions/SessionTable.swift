import CPortable
import LoginMachine
import LoginProtocol

/// The open sessions, which can be found by name and by slot. A session keeps its slot while it is
/// open.
struct SessionTable: ~Copyable {
  /// The initial states that new sessions share.
  private var blanks = BlankSessions()
  /// A hash table of the sessions by name, with open addressing. An entry holds the hash of a name,
  /// the session's slot and the session. Therefore a lookup reads only one cache line of the table
  /// before it reads the session, and the table can grow without reading any session.
  private var entries = [Entry](repeating: .empty, count: 16)
  private var sessions: [Session?] = []
  private var freeSlots: [Int] = []
  private(set) var count = 0

  private struct Entry {
    var hash: UInt32
    /// The session's slot; `UInt32.max` if the entry was never used, `UInt32.max - 1` if its
    /// session was removed.
    var slot: UInt32
    /// The session, which is not retained here: `sessions` keeps it alive.
    var session: Unmanaged<Session>?

    static var empty: Entry { Entry(hash: 0, slot: .max) }
    static var removed: Entry { Entry(hash: 0, slot: .max - 1) }
    var isEmpty: Bool { slot == .max }
    var isSession: Bool { session != nil }
  }
  private var removedEntries = 0
  /// The hash of the name that was passed to the last call of `fetchAhead`.
  private var fetched: UInt32?
  /// The number of names that were generated.
  private var madeNames: UInt64 = 0
  /// The slots of the sessions whose views are presenting an update.
  private(set) var presenting: Set<Int> = []

  /// The session with a name.
  func find(_ id: UnsafeRawBufferPointer) -> Session? { findUnretained(id)?.takeUnretainedValue() }

  /// The session with a name, not retained. The result is valid while the session is in the table.
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

  /// The machine of a new session (`BlankSessions.machine`).
  mutating func blankMachine(of template: FlowTemplate, on screen: Int) -> SessionMachine {
    blanks.machine(of: template, on: screen)
  }

  /// The first update of a new session (`BlankSessions.update`).
  mutating func blankUpdate(
    of template: FlowTemplate, on screen: Int, detail: UpdateDetail, make: () -> [UInt8]
  ) -> [UInt8] {
    blanks.update(of: template, on: screen, detail: detail, make: make)
  }

  // MARK: Prefetching

  /// Whether there are so many sessions that they do not fit into the processor's caches.
  /// Prefetching then makes lookups faster.
  var isLarge: Bool { count > 1_000 }

  /// Prefetches the table entry of `name`, and the session whose name was passed at the previous
  /// call. Returns that session; `nil` if it does not exist. Callers have to pass the name of a
  /// session two lookups before they look it up.
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
          // Prefetch all cache lines of the session.
          for offset in stride(from: 0, to: 256, by: 64) { cportable_prefetch(session.toOpaque() + offset) }
          return session
        }
        index = (index &+ 1) & mask
      }
      return nil
    }
  }

  /// Generates a name that no session has, and that was not generated before.
  mutating func makeName() -> SessionName {
    while true {
      madeNames += 1
      let name = SessionName("s\(madeNames)")
      if name.withUnsafeBytes({ find($0) }) == nil { return name }
    }
  }

  /// Records whether the view of the session in this slot is presenting an update.
  mutating func notePresenting(_ isPresenting: Bool, inSlot slot: Int) {
    if isPresenting { presenting.insert(slot) } else { presenting.remove(slot) }
  }

  /// The slot of the session that is inserted next.
  var nextSlot: Int { freeSlots.last ?? sessions.count }

  /// Adds a session, whose slot must be `nextSlot`. No other session may have its name.
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

  /// The number of slots, both used and free ones.
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
      // The entries' positions in the new table are scattered, so the position of a later entry is
      // prefetched.
      if index + 16 < old.count { fetchEntry(of: old[index + 16].hash) }
      if entry.isSession { place(entry) }
    }
  }
}
