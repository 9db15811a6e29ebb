/// How much a core keeps at the moment, for whoever checks that nothing is left behind.
package struct TableCounts: Equatable, Sendable {
  package var sessions = 0
  package var presentingSessions = 0
  package var questions = 0
  package var conversations = 0
  /// Requests `session/submit` that have no response yet.
  package var submits = 0
  package var timers = 0
  /// Authenticators for which lines wait.
  package var unsent = 0
  /// Whether a batch, a clock that is moved, or a reply that has to wait is under way.
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
