/// The queue of updates between a machine and a view with transitions. An update is written only
/// when the view has reported that it has presented the previous one.
///
/// Some updates are written in two halves, for example an update that hides an alert and then shows
/// another screen. The first half only hides what covers the form. The view presents and reports
/// each half.
///
/// The machine itself never waits for a view. If the view reports a revision that is not expected,
/// nothing changes. If it reports nothing, the queue's owner calls `stopWaiting` after a timeout.
public struct TransitionQueue: Sendable {
  /// A state that a view is to show, with its revision and event count.
  public struct Frame: Sendable {
    public let revision: UInt64
    /// How many edits and presses of the view this frame takes into account, including refused
    /// ones.
    public fileprivate(set) var events: UInt64
    public fileprivate(set) var view: ViewState
    /// Whether this is the first half of an update that is written in two halves. It only hides
    /// things.
    public fileprivate(set) var isLeaving = false
    /// The edits that this frame takes into account and that no earlier frame has taken into
    /// account; `nil` if there are none.
    fileprivate var edits: Edits?

    public init(revision: UInt64, events: UInt64, view: ViewState) {
      self.revision = revision
      self.events = events
      self.view = view
    }
  }

  /// Edits that the view has sent and the machine has accepted, and that no written update takes
  /// into account yet.
  fileprivate struct Edits {
    /// The ids of the edited items.
    var items: Set<String>
    /// A view state that contains the newest values of the edited items.
    var view: ViewState
  }

  /// The maximum number of updates in the queue. If the queue is full, a new update replaces the
  /// newest one in the queue.
  public static let capacity = 16

  public let policy: FlowOptions.TransitionPolicy
  private let flow: Flow
  /// The last frame that was written to the view. Edits that the user has made since then are not
  /// part of it.
  public private(set) var written = Frame(revision: 0, events: 0, view: ViewState())
  public private(set) var waiting: [Frame] = []
  /// The revision whose presentation the view has not reported yet; `nil` if the queue does not
  /// wait for the view. The first half of an update has a revision of its own, which the machine
  /// never had.
  public private(set) var awaited: UInt64?
  /// The newest revision for which no update was written, because the view already showed its
  /// content; 0 if there is none.
  private var leftOut: UInt64 = 0

  public init(policy: FlowOptions.TransitionPolicy, of flow: Flow) {
    self.policy = policy
    self.flow = flow
  }

  /// Whether the view's events are refused at present.
  public var refusesEvents: Bool { policy == .reject && awaited != nil }

  /// Whether the machine has changed its screen since the last frame was written. If so, events
  /// that the view sends are meant for the former screen.
  public func isBehind(_ machine: borrowing SessionMachine) -> Bool {
    revision(shownAt: written.revision) < machine.screenSince
  }

  /// The newest revision of the machine whose content is shown by a view that reports `revision`.
  /// Revisions for which no update was written, because they looked like the one before, are taken
  /// into account. Updates that are still in the queue are not.
  public func revision(shownAt revision: UInt64) -> UInt64 {
    revision >= written.revision ? max(written.revision, leftOut) : revision
  }

  /// Appends an update to the queue. If the queue is full, the update replaces the newest one in
  /// the queue.
  ///
  /// - Parameter edited: the item that the view has edited, if the update answers an edit.
  public mutating func append(_ frame: Frame, edited: Int? = nil) {
    var frame = frame
    let isFull = policy == .queue ? waiting.count >= TransitionQueue.capacity : !waiting.isEmpty
    if isFull, let replaced = waiting.popLast() { frame.edits = replaced.edits }
    if let edited, written.view.screenReference != nil {
      let id = frame.view.screen(of: flow).items[edited].id
      if var edits = frame.edits {
        edits.items.insert(id)
        takeValue(of: id, in: frame.view, &edits.view)
        frame.edits = edits
      } else {
        frame.edits = Edits(items: [id], view: frame.view)
      }
    }
    waiting.append(frame)
  }

  /// Whether an item of the screen that was written last has a value, taking into account all edits
  /// that the view has sent and the machine has accepted.
  public func isFilled(_ item: Int) -> Bool { written(with: waiting).items[item].isFilled }

  /// The view state that was written last, with the edits that the given frames take into account.
  private func written(with frames: [Frame]) -> ViewState {
    var view = written.view
    for edits in frames.compactMap(\.edits) {
      for id in edits.items { takeValue(of: id, in: edits.view, &view) }
    }
    return view
  }

  /// Copies the value of an item from `view` to `shown`, if both show this item.
  ///
  /// `shown` may be in another language or show another screen. The value is copied only if that
  /// screen has an item with the same id and the same kind of value.
  private func takeValue(of id: String, in view: borrowing ViewState, _ shown: inout ViewState) {
    let (screen, source) = (shown.screen(of: flow), view.screen(of: flow))
    guard let item = source.items.firstIndex(where: { $0.id == id }),
      let index = screen.items.firstIndex(where: { $0.id == id }),
      screen.traits[index].hasSameValues(as: source.traits[item])
    else { return }
    shown.takeEdit(of: index, from: item, in: view, isLongList: screen.traits[index].contains(.isLongList))
  }

  /// Translates all updates in the queue. `challenge` returns the translation of a challenge.
  public mutating func translate(into language: UInt16, challenge: (ChallengeScreen) -> ChallengeScreen) {
    for index in waiting.indices { waiting[index].view.translate(into: language, challenge: challenge) }
  }

  /// Records that an event of the view was refused. `events` is the number of events that the view
  /// has sent so far. The engine answers the refusal at once with an update that acknowledges these
  /// events, so that update shows the newest values that the queue has for the view's screen. The
  /// last update in the queue acknowledges the refused event too. Otherwise a view that waits until
  /// all its events are acknowledged would wait forever.
  ///
  /// - Returns: what the view shows before the answer: the state that was written last, with the
  ///   edits that the answer acknowledges.
  public mutating func recordRefusal(events: UInt64) -> ViewState {
    let before = written(with: waiting)
    written.view = before
    if let newest = waiting.last(where: { $0.view.screenReference == before.screenReference })?.view {
      for item in before.screen(of: flow).items { takeValue(of: item.id, in: newest, &written.view) }
    }
    written.view.forgetFormerPicks()
    written.events = events
    for index in waiting.indices { waiting[index].edits = nil }
    if !waiting.isEmpty { waiting[waiting.count - 1].events = events }
    return before
  }

  /// Removes the next update that can be written now, or makes its first half. Returns it together
  /// with the state that the view shows before it. Skips an update that changes nothing and
  /// acknowledges no new event.
  ///
  /// - Parameters:
  ///   - changes: receives the changes, which decide whether the queue waits for the view.
  ///   - strings: returns the flow's texts in a language.
  public mutating func next(
    _ changes: inout [ViewChange], strings: (_ language: UInt16) -> StringTable
  ) -> (from: ViewState, frame: Frame)? {
    // The first half is computed only now, because it depends on what the view shows, and updates
    // may have been dropped.
    while awaited == nil, let target = waiting.first {
      var before = written.view
      let texts = strings(target.view.language)
      var frame: Frame
      if let leaving = before.leaving(to: target.view, showsSame: { texts.showsSame($0, $1) }) {
        // The machine has left this number free, or an update that had it was dropped. This half counts none of the next update's events, although the answer
        // to a refused event may have counted some of them.
        frame = Frame(revision: written.revision + 1, events: min(written.events, target.events), view: leaving)
        frame.isLeaving = true
      } else {
        frame = waiting.removeFirst()
        before = written(with: [frame])
        frame.edits = nil
      }
      changes.removeAll(keepingCapacity: true)
      Presenter.appendChanges(
        from: before, to: frame.view, edited: nil, on: frame.view.screen(of: flow), strings(frame.view.language),
        to: &changes)
      if changes.isEmpty, frame.events <= written.events {
        leftOut = frame.revision
        written.view = frame.view
        continue
      }
      if changes.contains(where: \.takesTime) { awaited = frame.revision }
      written = frame
      return (before, frame)
    }
    return nil
  }

  /// Handles the view's report that it has presented a revision. Returns whether the queue was
  /// waiting for this report.
  public mutating func present(_ revision: UInt64) -> Bool {
    guard awaited == revision else { return false }
    awaited = nil
    return true
  }

  /// Stops waiting for the view, which has not reported in time.
  public mutating func stopWaiting() { awaited = nil }
}

extension TransitionQueue.Frame {
  /// Creates the frame of what a machine shows after an event, and stores the state in `view`.
  /// `before` is what the view showed before the event. If the view has to hide something before it
  /// can show something else, the machine's revision is raised by one more, so that one revision is
  /// free for the first half of the update.
  public init(of machine: inout SessionMachine, after before: borrowing ViewState, _ view: inout ViewState) {
    view.project(&machine)
    if before.mustLeave(before: view) {
      machine.postpone()
      view.project(&machine)
    }
    self.init(revision: machine.revision, events: machine.events, view: view)
  }
}

extension ViewChange {
  /// Whether a view needs time to show the change. A view shows values, validity, enabled states
  /// and the focus at once, and also items that appear or disappear.
  var takesTime: Bool {
    switch self {
    case .screen, .phase, .activity, .error, .notice, .alert, .scene: true
    case .item, .primaryReplaced, .primaryEnabled, .linkEnabled, .linkThrottled, .retry, .focus, .sectionRemoved,
      .itemRemoved,
      .sectionInserted, .itemInserted:
      false
    }
  }
}
