public import JSONCodec
public import LoginMachine

/// Writes the update that an event leads to.
///
/// The writer notes before the event what the view shows. After the event it writes the new snapshot and the difference. It keeps its memory
/// from event to event, so that an event allocates none. Machines are passed `inout` only to avoid a copy.
public struct UpdateWriter: ~Copyable {
  /// What was written and not yet taken.
  public var output: ByteBuffer
  /// What the view shows, and what it shall show; in memory of their own, so that both are compared and written where they lie.
  private let shown = UnsafeMutablePointer<ViewState>.allocate(capacity: 1)
  private let view = UnsafeMutablePointer<ViewState>.allocate(capacity: 1)
  private var changes: [ViewChange] = []

  /// A writer whose view shows nothing.
  public init(capacity: Int) {
    output = ByteBuffer(capacity: capacity)
    shown.initialize(to: ViewState())
    view.initialize(to: ViewState())
  }

  deinit {
    for state in [shown, view] {
      state.deinitialize(count: 1)
      state.deallocate()
    }
  }

  /// Notes that the view shows nothing yet.
  public mutating func noteEmptyView() { shown.pointee = ViewState() }

  /// Lets go of what was compared last, which would keep its screen until the next update.
  public mutating func forgetViews() {
    shown.pointee = ViewState()
    view.pointee = ViewState()
  }

  /// Notes what the view shows before an event.
  @inline(__always) public mutating func noteView(of machine: inout SessionMachine) { shown.pointee.project(&machine) }

  /// Writes the update to what the machine shows now. `edited` is the item whose value the view has changed itself.
  ///
  /// - Parameters:
  ///   - omitsSnapshot: whether the update has only the commands.
  ///   - writtenEvents: how many events counted in the update before. One that would say nothing, neither of what is shown nor of how many events count, is
  ///     not written, and the machine's revision is the one before.
  @inline(__always) public mutating func writeUpdate(
    of machine: inout SessionMachine, session: SessionName, edited: Int?, omitsSnapshot: Bool = false,
    writtenEvents: UInt64? = nil, _ template: FlowTemplate
  ) {
    // Nothing changes before all is written, so there is nothing to copy.
    view.pointee.projectTakingEntries(of: &machine)
    defer { view.pointee.returnEntries(to: &machine) }
    let (revision, events) = (machine.revision, machine.events)
    if !changes.isEmpty { changes.removeAll(keepingCapacity: true) }
    Presenter.appendChanges(
      &shown.pointee, &view.pointee, edited: edited, on: machine.screen, template.strings, to: &changes)
    if changes.isEmpty, events == writtenEvents { return machine.withdrawRevision() }
    UpdateWriter.write(
      &view.pointee, changes, &output, session: session, revision: revision, events: events,
      omitsSnapshot: omitsSnapshot,
      template)
  }

  /// What follows the session's name in the update that comes before all others, for `writeUpdate(session:_:)`.
  public mutating func firstUpdate(
    of machine: inout SessionMachine, omitsSnapshot: Bool, _ template: FlowTemplate
  ) -> [UInt8] {
    var update = ByteBuffer(capacity: 4096)
    view.pointee.project(&machine)
    changes.removeAll(keepingCapacity: true)
    noteEmptyView()
    Presenter.appendChanges(
      &shown.pointee, &view.pointee, edited: nil, on: machine.screen, template.strings, to: &changes)
    UpdateWriter.write(
      &view.pointee, changes, &update, session: nil, revision: machine.revision, events: machine.events,
      omitsSnapshot: omitsSnapshot, template)
    return update.array()
  }

  /// Writes an update that was made before, for a session of this name.
  public mutating func writeUpdate(session: SessionName, _ rest: [UInt8]) {
    output.append(atMost: UpdateWriter.headRoom + session.room) { UpdateWriter.putHead(session, &$0) }
    output.append(rest)
  }

  /// What the machine shows after an event, to be written later. Its revision may grow.
  public mutating func frame(of machine: inout SessionMachine) -> TransitionQueue.Frame {
    TransitionQueue.Frame(of: &machine, after: shown.pointee, &view.pointee)
  }

  /// Writes the next update that had to wait and may be written now. Returns what was written; `nil` if nothing was.
  ///
  /// - Parameter template: the flow in a language.
  public mutating func writeNext(
    of queue: inout TransitionQueue, session: SessionName, omitsSnapshot: Bool = false,
    _ template: (_ language: UInt16) -> FlowTemplate
  ) -> (from: ViewState, frame: TransitionQueue.Frame)? {
    guard let next = queue.next(&changes, strings: { template($0).strings }) else { return nil }
    var view = next.frame.view
    let template = template(view.language)
    UpdateWriter.write(
      &view, changes, &output, session: session, revision: next.frame.revision, events: next.frame.events,
      omitsSnapshot: omitsSnapshot, template)
    return next
  }

  /// The most bytes that the beginning of an update has beside the session's name.
  private static var headRoom: Int { 160 }

  /// Writes the beginning of an update.
  @inline(__always) private static func putHead(_ session: SessionName, _ pen: inout JSONPen) {
    pen.put(#"{"jsonrpc":"2.0","method":"session/update","params":{"session":"#)
    session.put(to: &pen)
  }

  /// Writes an update, or what follows the session's name if that is `nil`, with the changes that lead there. Static, so that what is read and what is written
  /// are known to be apart.
  @inline(__always) private static func write(
    _ view: inout ViewState, _ changes: [ViewChange], _ output: inout ByteBuffer, session: SessionName?,
    revision: UInt64, events: UInt64, omitsSnapshot: Bool, _ template: FlowTemplate
  ) {
    template.withShownScreen(of: &view) { screen in
      let room = headRoom + (session?.room ?? 0) + (omitsSnapshot ? 0 : screen.room)
      output.append(atMost: room) { pen in
        if let session { putHead(session, &pen) }
        pen.put(#","revision":"#)
        pen.put(decimal: revision)
        pen.put(#","events":"#)
        pen.put(decimal: events)
        if !omitsSnapshot { pen.putSnapshot(screen.form.snapshotHead(screen.header.phase), screen) }
      }
    }
    if !omitsSnapshot, view.showsMoreThanForm { output.appendSnapshotRest(&view, template) }
    if changes.isEmpty { return output.append(",\"commands\":[]}}\n") }
    output.append(#","commands":"#)
    output.appendCommands(changes, &view, template)
    output.append("}}\n")
  }

  /// Appends what the machine shows now to another buffer.
  public mutating func appendSnapshot(
    of machine: inout SessionMachine, _ template: FlowTemplate, to buffer: inout ByteBuffer
  ) {
    view.pointee.project(&machine)
    buffer.appendSnapshot(view.pointee, template)
  }

  /// Appends the command that gives an item the value that it has in the machine. `isEmpty` says whether the view has emptied it.
  public mutating func appendUndo(
    of item: Int, in machine: inout SessionMachine, isEmpty: Bool, _ template: FlowTemplate, to buffer: inout ByteBuffer
  ) {
    view.pointee.project(&machine)
    appendUndo(of: item, in: view.pointee, isEmpty: isEmpty, template, to: &buffer)
  }

  /// Appends the command that gives an item the value that it has in a view; nothing if it is not there or has none, or if it is a secret that
  /// is empty on both sides.
  public func appendUndo(
    of item: Int, in view: borrowing ViewState, isEmpty: Bool, _ template: FlowTemplate, to buffer: inout ByteBuffer
  ) {
    let traits = template.screen(of: view).screen.traits[item]
    guard !view.item(item).isHidden, !traits.contains(.isText) else { return }
    if isEmpty, traits.contains(.isSecret), !view.item(item).isFilled { return }
    var view = copy view
    buffer.appendSetItem(item, traits.contains(.isSecret) ? .filled : .value, &view, template)
  }
}
