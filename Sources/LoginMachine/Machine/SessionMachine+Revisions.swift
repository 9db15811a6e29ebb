/// The revision after an event.
extension SessionMachine {
  /// Records an accepted event as a new revision. `before` is the primary action before the event.
  @inline(__always) mutating func advance(from before: Action) {
    revision += 1
    if primaryRole != before { primarySince = revision }
  }

  /// Moves the result of the last event to the next revision, so that one revision is free. Used
  /// for views with transitions: the free revision is for an update that only hides things and is
  /// shown first.
  mutating func postpone() { renumber(revision + 1) }

  /// Takes back the last revision, because the event has changed nothing that is shown and no
  /// update is written for it.
  public mutating func withdrawRevision() { if revision > 1 { renumber(revision - 1) } }

  private mutating func renumber(_ number: UInt64) {
    let former = revision
    revision = number
    if screenSince == former { screenSince = revision }
    if primarySince == former { primarySince = revision }
    if focus.since == former { focus(on: focus.target, since: revision) }
    guard hasExtras else { return }
    var extras = extras
    if extras.overlay.alertSince == former { extras.overlay.alertSince = revision }
    if extras.rare.requestLinksSince == former { extras.rare.requestLinksSince = revision }
    extras.rare.arrivals = extras.rare.arrivals.mapValues { $0 == former ? revision : $0 }
    self.extras = extras
  }
}
