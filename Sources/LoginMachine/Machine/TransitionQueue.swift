/// The queue between a machine and a view with transitions. Updates wait until the view reports
/// that the previous one was presented.
///
/// Covers leave first: an update that hides one thing and shows another is written in two halves,
/// and the view presents each.
///
/// The machine never waits. A report of an unexpected revision changes nothing, and if the view
/// reports nothing, the queue's owner calls `stopWaiting` after a timeout.
public struct TransitionQueue: Sendable {
  /// A state that a view shows at once.
  public struct Frame: Sendable {
    public let revision: UInt64
    /// The number of changes and performs of the view that precede this frame, including refused
    /// ones.
    public fileprivate(set) var events: UInt64
    public fileprivate(set) var view: ViewState
    /// Whether this is the leaving half of an update.
    public fileprivate(set) var isLeaving = false
    /// The edits that are first counted by this frame; `nil` if there are none.
    fileprivate var edits: Edits?

    public init(revision: UInt64, events: UInt64, view: ViewState) {
      self.revision = revision
      self.events = events
      self.view = view
    }
  }

  /// Edits of the user that the machine has accepted.
  fileprivate struct Edits {
    /// The ids of the items.
    var items: Set<String>
    /// A view in which these items have their latest values.
    var view: ViewState
  }

  /// The maximum number of waiting updates. A newer one then replaces the last.
  public static let capacity = 16

  public let policy: FlowOptions.TransitionPolicy
  private let flow: Flow
  /// The last frame that was written, without later edits by the user.
  public private(set) var written = Frame(revision: 0, events: 0, view: ViewState())
  public private(set) var waiting: [Frame] = []
  /// The revision that the view has not presented yet. That of a leaving half is not a revision of
  /// the machine.
  public private(set) var awaited: UInt64?
  /// The newest revision that was not written because the view showed the same already; 0 if there
  /// is none.
  private var leftOut: UInt64 = 0

  public init(policy: FlowOptions.TransitionPolicy, of flow: Flow) {
    self.policy = policy
    self.flow = flow
  }

  /// Whether the view's events are refused at present.
  public var refusesEvents: Bool { policy == .reject && awaited != nil }

  /// Whether the machine has moved to its screen after the last written frame, so that the view's
  /// events would be meant for another screen.
  public func isBehind(_ machine: borrowing SessionMachine) -> Bool {
    revision(shownAt: written.revision) < machine.screenSince
  }

  /// The newest revision of the machine that is visible in a view that reports `revision`.
  /// Revisions that looked the same are included, waiting ones are not.
  public func revision(shownAt revision: UInt64) -> UInt64 {
    revision >= written.revision ? max(written.revision, leftOut) : revision
  }

  /// Appends an update to the queue.
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

  /// Whether an item of the last written screen has a value after all accepted edits of the view.
  public func isFilled(_ item: Int) -> Bool { written(with: waiting).items[item].isFilled }

  /// The last written view with the edits that these frames count.
  private func written(with frames: [Frame]) -> ViewState {
    var view = written.view
    for edits in frames.compactMap(\.edits) {
      for id in edits.items { takeValue(of: id, in: edits.view, &view) }
    }
    return view
  }

  /// Copies the value of an item from `view` to `shown`.
  ///
  /// `shown` may be in another language or show another screen; the value is copied only if it has
  /// an item with the same id and kind of value.
  private func takeValue(of id: String, in view: borrowing ViewState, _ shown: inout ViewState) {
    let (screen, source) = (shown.screen(of: flow), view.screen(of: flow))
    guard let item = source.items.firstIndex(where: { $0.id == id }),
      let index = screen.items.firstIndex(where: { $0.id == id }),
      screen.traits[index].hasSameValues(as: source.traits[item])
    else { return }
    shown.takeEdit(of: index, from: item, in: view, isLongList: screen.traits[index].contains(.isLongList))
  }

  /// Translates all waiting updates. `challenge` translates a challenge.
  public mutating func translate(into language: UInt16, challenge: (ChallengeScreen) -> ChallengeScreen) {
    for index in waiting.indices { waiting[index].view.translate(into: language, challenge: challenge) }
  }

  /// Records that an event of the view was refused, with `events` counted so far. The engine
  /// answers at once with an update that counts these events, so that update shows the values of
  /// the newest waiting update for the same screen. The last waiting update counts the event too;
  /// otherwise a view that waits until all its events are counted would wait for ever.
  ///
  /// - Returns: what the view shows before that update: the last written view with the edits that
  ///   the update counts.
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

  /// Takes the next update that can be written now, or its leaving half, with the view before it.
  /// An update with neither a change nor a new event count is skipped.
  ///
  /// - Parameters:
  ///   - changes: receives the changes, which decide whether the queue waits for the view.
  ///   - strings: the flow's texts in a language.
  public mutating func next(
    _ changes: inout [ViewChange], strings: (_ language: UInt16) -> StringTable
  ) -> (from: ViewState, frame: Frame)? {
    // The half that leaves is only computed now: it depends on what the view shows, and updates may
    // have been dropped.
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

  /// Handles a view's report. Returns whether the queue waited for that revision.
  public mutating func present(_ revision: UInt64) -> Bool {
    guard awaited == revision else { return false }
    awaited = nil
    return true
  }

  /// Stops waiting for the view.
  public mutating func stopWaiting() { awaited = nil }
}

extension TransitionQueue.Frame {
  /// The state that a machine shows after an event, with `before` shown until then; stores the
  /// projection in `view`. If the view has to leave something first, this takes one more revision
  /// of the machine for the leaving half.
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
  /// Whether a view needs time for the change. Values, validity, enabled states, focus and the
  /// items on the screen change at once.
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
