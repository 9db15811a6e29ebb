/// The revision after an event.
extension SessionMachine {
  /// Records an accepted event; `before` is the primary action until then.
  @inline(__always) mutating func advance(from before: Action) {
    revision += 1
    if primaryRole != before { primarySince = revision }
  }

  /// Moves the result of the last event one revision later, because a view with transitions first
  /// has to show the leaving half of the update.
  mutating func postpone() { renumber(revision + 1) }

  /// Takes the last revision back, because the event has changed nothing that is shown and no
  /// update is written.
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
