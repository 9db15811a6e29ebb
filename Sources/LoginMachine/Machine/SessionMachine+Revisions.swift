/// Which revision of what is shown an event leads to.
extension SessionMachine {
  /// Notes that an event was accepted; `before` is what the primary action was until then.
  @inline(__always) mutating func advance(from before: Action) {
    revision += 1
    if primaryPart != before { primarySince = revision }
  }

  /// What the last event has led to is shown one revision later than it would be: a view that takes its time has to leave something first, and that is a
  /// revision of its own.
  mutating func postpone() { renumber(revision + 1) }

  /// What the last event has led to looks as before, so no update says it: the revision is the one before again.
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
