/// What stands between a machine and a view that needs time for what it shows: updates wait until the view reports that the one before was presented.
///
/// What covers leaves first: where an update hides something and shows something else, it is written in two halves, and both are waited for.
///
/// The machine never waits. A view that reports nothing, or another revision, changes nothing here; the queue's owner calls `stopWaiting` in time.
public struct TransitionQueue: Sendable {
  /// What a view is to show at once.
  public struct Frame: Sendable {
    public let revision: UInt64
    /// The changes and performs of the view that this comes after, refused ones included.
    public fileprivate(set) var events: UInt64
    public fileprivate(set) var view: ViewState
    /// Whether it is the half of an update that leaves.
    public fileprivate(set) var isLeaving = false
    /// The edits that no update before counts; `nil` if there are none.
    fileprivate var edits: Edits?

    public init(revision: UInt64, events: UInt64, view: ViewState) {
      self.revision = revision
      self.events = events
      self.view = view
    }
  }

  /// Edits of the person's that the machine has taken.
  fileprivate struct Edits {
    /// The ids of the items.
    var items: Set<String>
    /// A view in which these items have the values of their last edits.
    var view: ViewState
  }

  /// The most updates that wait; a newer one then takes the place of the last.
  public static let capacity = 16

  public let policy: FlowOptions.TransitionPolicy
  private let flow: Flow
  /// What was written last, without what the person has entered since.
  public private(set) var written = Frame(revision: 0, events: 0, view: ViewState())
  public private(set) var waiting: [Frame] = []
  /// The revision that the view has not presented yet; that of a half that leaves is no revision of the machine's.
  public private(set) var awaited: UInt64?
  /// The newest revision that was left out because the view showed it already; 0 if none was.
  private var leftOut: UInt64 = 0

  public init(policy: FlowOptions.TransitionPolicy, of flow: Flow) {
    self.policy = policy
    self.flow = flow
  }

  /// Whether the view's events are refused for the time being.
  public var refusesEvents: Bool { policy == .reject && awaited != nil }

  /// Whether the machine has come to its screen after what was written last: what the view shows is not where its events would go.
  public func isBehind(_ machine: borrowing SessionMachine) -> Bool {
    revision(shownAt: written.revision) < machine.screenSince
  }

  /// The newest revision of the machine's that a view shows which names `revision` as what it shows: one that looked the same was not written, and one that
  /// waits to be written is shown by no view.
  public func revision(shownAt revision: UInt64) -> UInt64 {
    revision >= written.revision ? max(written.revision, leftOut) : revision
  }

  /// Puts an update behind those that wait.
  ///
  /// - Parameter edited: the item that the view has edited itself, if the update answers an edit.
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

  /// Whether an item of the screen that was written last has a value once the view has made all the edits that the machine has taken.
  public func isFilled(_ item: Int) -> Bool { written(with: waiting).items[item].isFilled }

  /// What was written last, after the edits that these updates count.
  private func written(with frames: [Frame]) -> ViewState {
    var view = written.view
    for edits in frames.compactMap(\.edits) {
      for id in edits.items { takeValue(of: id, in: edits.view, &view) }
    }
    return view
  }

  /// Gives an item of `shown` the value that `view` has of it.
  ///
  /// `shown` may be the machine's screen in another language: the value concerns it only if it has an item of the same id and kind of value. No command names
  /// the value of an item that is hidden.
  private func takeValue(of id: String, in view: borrowing ViewState, _ shown: inout ViewState) {
    let (screen, source) = (shown.screen(of: flow), view.screen(of: flow))
    guard let item = source.items.firstIndex(where: { $0.id == id }),
      let index = screen.items.firstIndex(where: { $0.id == id }),
      screen.traits[index].hasSameValues(as: source.traits[item])
    else { return }
    shown.takeEdit(of: index, from: item, in: view, isLongList: screen.traits[index].contains(.isLongList))
  }

  /// All that is still to be written is to be in another language. `challenge` makes a challenge ready in that language.
  public mutating func translate(into language: UInt16, challenge: (ChallengeScreen) -> ChallengeScreen) {
    for index in waiting.indices { waiting[index].view.translate(into: language, challenge: challenge) }
  }

  /// An event of the view was refused, and the machine has counted `events` by now. The engine answers at once with an update that counts
  /// all of these events. That update therefore shows the values of the newest update that waits for the same screen. The last update that waits counts the
  /// event as well: otherwise a view that waits until all its events are counted would wait for ever.
  ///
  /// - Returns: what the view shows before that: what was written last, and the edits that this update counts.
  public mutating func noteRefusal(events: UInt64) -> ViewState {
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

  /// Takes the next update that may be written now, or the half of it that leaves, with what the view shows before it. An update that would say nothing,
  /// neither a command nor another number of events, is left out.
  ///
  /// - Parameters:
  ///   - changes: takes what leads there. It is what decides whether the view is waited for.
  ///   - strings: the flow's texts in a language.
  public mutating func next(
    _ changes: inout [ViewChange], strings: (_ language: UInt16) -> StringTable
  ) -> (from: ViewState, frame: Frame)? {
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

  /// The view has presented a revision. Returns whether that was the one waited for.
  public mutating func present(_ revision: UInt64) -> Bool {
    guard awaited == revision else { return false }
    awaited = nil
    return true
  }

  /// Waits no more for what is awaited.
  public mutating func stopWaiting() { awaited = nil }
}

extension TransitionQueue.Frame {
  /// What a machine shows after an event before which it showed `before`; leaves the projection in `view`. If the view has to leave something first, the
  /// machine's revision grows once more, for the half that leaves.
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
  /// Whether a view needs time for it: values, their validity, what is enabled and where the keyboard is are shown at once, all else takes time.
  var takesTime: Bool {
    switch self {
    case .screen, .phase, .activity, .error, .notice, .alert, .scene: true
    case .item, .primaryReplaced, .primaryEnabled, .linkEnabled, .linkHeld, .retry, .focus, .sectionRemoved,
      .itemRemoved,
      .sectionInserted, .itemInserted:
      false
    }
  }
}
