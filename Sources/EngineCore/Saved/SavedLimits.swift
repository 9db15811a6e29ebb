import LoginMachine
import LoginProtocol

/// The limits of a saved session. They apply to saving and to opening, so that every saved session
/// can be opened.
///
/// The counters of a session continue to grow after the session was opened. A session whose
/// counters exceed the maximum cannot be saved, since no engine would open its saved form.
enum SavedLimits {
  /// The maximum number of entries in a list, and of parameters in a message.
  static var entries: Int { 1000 }

  static func check(_ state: SavedState) throws(RPCError) {
    let counts = SavedState.maximumCount
    guard max(state.revision, state.events) <= counts else {
      throw .limitExceeded(
        "maxSavedCount", maximum: Int(clamping: counts),
        "A session that has counted beyond \(counts) cannot be saved. Open another one.")
    }
    let remarks = state.draft.remarks
    let messages = state.messages + state.alerts.flatMap(\.messages) + remarks.map(\.message)
    let lists = [remarks.count, state.alerts.count, state.throttledLinks.count] + state.alerts.map(\.messages.count)
    guard (lists + messages.map(\.parameters.count)).allSatisfy({ $0 <= entries }) else {
      throw .limitExceeded(
        "maxSavedEntries", maximum: entries,
        "A list of messages of this session has over \(entries) entries, so the session cannot be saved.")
    }
  }
}

extension SavedState {
  /// The messages of the form: all messages except those in alerts and those at items.
  fileprivate var messages: [Message] {
    let failure: Message? = if case .requestFailed(let message, _, _) = stage { message } else { nil }
    return [notice, failure].compactMap { $0 } + left.compactMap(\.failure)
  }
}
