/// The current sizes of a core's tables, for tests that check that nothing leaks.
package struct TableCounts: Equatable, Sendable {
  package var sessions = 0
  package var presentingSessions = 0
  package var questions = 0
  package var conversations = 0
  /// `session/submit` requests that have no response yet.
  package var submits = 0
  package var timers = 0
  /// Authenticators with unsent lines.
  package var unsent = 0
  /// Whether a batch or a `clock/advance` is in progress, or a reply is delayed.
  package var isBusy = false

  package init() {}
}

extension EngineCore {
  package var tableCounts: TableCounts {
    var counts = TableCounts()
    counts.sessions = sessions.count
    counts.presentingSessions = sessions.presenting.count
    counts.questions = questions.count
    counts.conversations = conversations.count
    counts.submits = submits.count
    counts.timers = time.timerCount
    authenticators.forEach { if $0.hasUnsent { counts.unsent += 1 } }
    counts.isBusy = input.batch != nil || time.advance != nil || input.hasDelayedReply
    return counts
  }
}
