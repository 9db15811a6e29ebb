import LoginMachine
import LoginProtocol

/// The limits of a saved session. Writer and reader apply the same limits, so that every saved
/// session can be opened.
///
/// The counters of an opened session continue to grow. So a session with the highest counts cannot
/// be saved again, instead of being saved in a form that no engine opens.
enum SavedLimits {
  /// The most entries of a list, and the most parameters of a message.
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
  /// The messages of the form, without those in alerts and remarks.
  fileprivate var messages: [Message] {
    let failure: Message? = if case .requestFailed(let message, _, _) = stage { message } else { nil }
    return [notice, failure].compactMap { $0 } + left.compactMap(\.failure)
  }
}
