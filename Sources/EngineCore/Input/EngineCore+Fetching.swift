import CPortable
import JSONCodec
import LoginMachine

/// Prefetching: loads the memory that the next lines will need into the processor's cache. With
/// over a thousand sessions, one cache miss takes as long as a third of an edit. A wrong guess
/// about the next lines costs a few instructions and changes no result.
extension EngineCore {
  /// Prefetches the sessions of the next two lines, if there are many sessions. Assumes that the
  /// session's name has the same offset in those lines as in this one. Returns the session of the
  /// next line.
  @inline(__always) func fetchAhead(
    like name: JSONDocument.Node, _ document: borrowing JSONDocument, in line: UnsafeRawBufferPointer
  ) -> Unmanaged<Session>? {
    guard sessions.isLarge, document.kind(name) == .string else { return nil }
    return sessions.fetchAhead(nameAfterNext(like: document.text(name), in: line))
  }

  /// Prefetches the draft of a session whose object is in the processor's cache already.
  func fetchDraft(of session: Unmanaged<Session>) {
    session.lend { session in
      session.machine.draft.entries.withAll { states, _ in cportable_prefetch(states.baseAddress) }
    }
  }

  /// The session name in the line after the next one, if it has the same offset and length as
  /// `name` in `line`; else `nil`.
  private func nameAfterNext(like name: UnsafeRawBufferPointer, in line: UnsafeRawBufferPointer)
    -> UnsafeRawBufferPointer?
  {
    guard let own = name.baseAddress, let start = line.baseAddress else { return nil }
    let (place, rest) = (own - start, input.peekBehindNext())
    guard place >= 0, place + name.count < rest.count, rest[place + name.count] == 0x22 else { return nil }
    return UnsafeRawBufferPointer(rebasing: rest[place..<place + name.count])
  }
}
