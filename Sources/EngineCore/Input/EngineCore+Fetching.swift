import CPortable
import JSONCodec
import LoginMachine

/// What has memory fetched before a line needs it.
extension EngineCore {
  /// With many sessions, has fetched what the next two lines need, if they are written like this one: has their sessions' names at the same place. Returns the
  /// session of the next line.
  @inline(__always) func fetchAhead(
    like name: JSONDocument.Node, _ document: borrowing JSONDocument, in line: UnsafeRawBufferPointer
  ) -> Unmanaged<Session>? {
    guard sessions.isLarge, document.kind(name) == .string else { return nil }
    return sessions.fetchAhead(nameBehindNext(like: document.text(name), in: line))
  }

  /// Has fetched what was entered into a session, once the session itself is there.
  func fetchDraft(of session: Unmanaged<Session>) {
    session.lend { session in
      session.machine.draft.entries.withAll { states, _ in cportable_prefetch(states.baseAddress) }
    }
  }

  /// The name in the line behind the next one, if that name is as long as this one.
  private func nameBehindNext(like name: UnsafeRawBufferPointer, in line: UnsafeRawBufferPointer)
    -> UnsafeRawBufferPointer?
  {
    guard let own = name.baseAddress, let start = line.baseAddress else { return nil }
    let (place, rest) = (own - start, input.peekBehindNext())
    guard place >= 0, place + name.count < rest.count, rest[place + name.count] == 0x22 else { return nil }
    return UnsafeRawBufferPointer(rebasing: rest[place..<place + name.count])
  }
}
