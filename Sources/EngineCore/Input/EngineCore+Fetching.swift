import CPortable
import JSONCodec
import LoginMachine

/// Prefetching memory for the lines that follow. With over a thousand sessions a cache miss takes as
/// long as a third of an edit. A wrong guess costs some instructions and changes nothing.
extension EngineCore {
  /// Prefetches the sessions of the next two lines if there are many sessions, assuming that the
  /// lines have their session names at the same offset as this one. Returns the session of the next
  /// line.
  @inline(__always) func fetchAhead(
    like name: JSONDocument.Node, _ document: borrowing JSONDocument, in line: UnsafeRawBufferPointer
  ) -> Unmanaged<Session>? {
    guard sessions.isLarge, document.kind(name) == .string else { return nil }
    return sessions.fetchAhead(nameAfterNext(like: document.text(name), in: line))
  }

  /// Prefetches the draft of a session that is already in the cache.
  func fetchDraft(of session: Unmanaged<Session>) {
    session.lend { session in
      session.machine.draft.entries.withAll { states, _ in cportable_prefetch(states.baseAddress) }
    }
  }

  /// The name in the line after the next one, if it has the same offset and length as this one.
  private func nameAfterNext(like name: UnsafeRawBufferPointer, in line: UnsafeRawBufferPointer)
    -> UnsafeRawBufferPointer?
  {
    guard let own = name.baseAddress, let start = line.baseAddress else { return nil }
    let (place, rest) = (own - start, input.peekBehindNext())
    guard place >= 0, place + name.count < rest.count, rest[place + name.count] == 0x22 else { return nil }
    return UnsafeRawBufferPointer(rebasing: rest[place..<place + name.count])
  }
}
