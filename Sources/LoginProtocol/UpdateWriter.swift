public import JSONCodec
public import LoginMachine

/// Writes the update that follows an event.
///
/// Before the event, the writer records what the view shows. After the event, it writes the new
/// snapshot, and the commands that lead there. It reuses its memory, so that events allocate
/// nothing. Machines are `inout` only to avoid a copy.
public struct UpdateWriter: ~Copyable {
  /// The bytes that were written and not yet removed.
  public var output: ByteBuffer
  /// `shown` is what the view shows before the event, and `view` is what it shows afterwards. Each
  /// has memory of its own, so that they are compared and written without being copied.
  private let shown = UnsafeMutablePointer<ViewState>.allocate(capacity: 1)
  private let view = UnsafeMutablePointer<ViewState>.allocate(capacity: 1)
  private var changes: [ViewChange] = []

  /// Creates a writer for an empty view, with a buffer of `capacity` bytes.
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

  /// Records that the view is empty.
  public mutating func recordEmptyView() { shown.pointee = ViewState() }

  /// Releases the two states of the view that were compared last. Otherwise they would keep their
  /// screen alive until the next update.
  public mutating func releaseViews() {
    shown.pointee = ViewState()
    view.pointee = ViewState()
  }

  /// Records what the view shows before an event.
  @inline(__always) public mutating func recordView(of machine: inout SessionMachine) {
    shown.pointee.project(&machine)
  }

  /// Writes the update to the machine's current state.
  ///
  /// - Parameters:
  ///   - edited: the item that the view has edited, and whose new value the view already shows.
  ///   - detail: whether the update has the snapshot, the commands, or both.
  ///   - writtenEvents: the number of events in the previous update. If the view does not change
  ///     and there is no new event, no update is written, and the machine's revision is taken back.
  @inline(__always) public mutating func writeUpdate(
    of machine: inout SessionMachine, session: SessionName, edited: Int?, detail: UpdateDetail,
    writtenEvents: UInt64? = nil, _ template: FlowTemplate
  ) {
    // The machine does not change until the update is written, so its entries need not be copied.
    view.pointee.projectTakingEntries(of: &machine)
    defer { view.pointee.returnEntries(to: &machine) }
    let (revision, events) = (machine.revision, machine.events)
    if !changes.isEmpty { changes.removeAll(keepingCapacity: true) }
    Presenter.appendChanges(
      &shown.pointee, &view.pointee, edited: edited, on: machine.screen, template.strings, to: &changes)
    if changes.isEmpty, events == writtenEvents { return machine.withdrawRevision() }
    UpdateWriter.write(
      &view.pointee, changes, &output, session: session, revision: revision, events: events, detail: detail, template)
  }

  /// Writes the update that answers a refused event. If the event was an edit, the update restores
  /// the item's value, whatever the view shows.
  public mutating func writeRefusal(
    of machine: inout SessionMachine, session: SessionName, restoring item: Int?, detail: UpdateDetail,
    _ template: FlowTemplate
  ) {
    view.pointee.project(&machine)
    changes.removeAll(keepingCapacity: true)
    Presenter.appendChanges(
      from: shown.pointee, to: view.pointee, edited: nil, on: machine.screen, template.strings, to: &changes)
    if let item { Presenter.restore(item, of: view.pointee, on: machine.screen, in: &changes) }
    UpdateWriter.write(
      &view.pointee, changes, &output, session: session, revision: machine.revision, events: machine.events,
      detail: detail, template)
  }

  /// Writes the update that answers a refused event of a view with transitions. The update does not
  /// change what is shown, so the queue does not wait until the view has presented it.
  ///
  /// - Parameter template: the flow in the language of the view.
  public mutating func writeRefusal(
    of queue: inout TransitionQueue, events: UInt64, session: SessionName, restoring item: Int?, detail: UpdateDetail,
    _ template: FlowTemplate
  ) {
    let before = queue.recordRefusal(events: events)
    var view = queue.written.view
    let screen = template.screen(of: view).screen
    changes.removeAll(keepingCapacity: true)
    Presenter.appendChanges(from: before, to: view, edited: nil, on: screen, template.strings, to: &changes)
    if let item { Presenter.restore(item, of: view, on: screen, in: &changes) }
    UpdateWriter.write(
      &view, changes, &output, session: session, revision: queue.written.revision, events: events, detail: detail,
      template)
  }

  /// The first update of a session, without the part up to and including the session's name.
  /// `writeUpdate(session:_:)` writes that part.
  public mutating func firstUpdate(
    of machine: inout SessionMachine, detail: UpdateDetail, _ template: FlowTemplate
  ) -> [UInt8] {
    var update = ByteBuffer(capacity: 4096)
    view.pointee.project(&machine)
    changes.removeAll(keepingCapacity: true)
    recordEmptyView()
    Presenter.appendChanges(
      &shown.pointee, &view.pointee, edited: nil, on: machine.screen, template.strings, to: &changes)
    UpdateWriter.write(
      &view.pointee, changes, &update, session: nil, revision: machine.revision, events: machine.events,
      detail: detail, template)
    return update.array()
  }

  /// Writes an update that was prepared by `firstUpdate`, for the session with this name.
  public mutating func writeUpdate(session: SessionName, _ rest: [UInt8]) {
    output.append(atMost: UpdateWriter.headRoom + session.room) { UpdateWriter.putHead(session, &$0) }
    output.append(rest)
  }

  /// What the view has to show after an event, for an update that is written later. This may
  /// increase the machine's revision.
  public mutating func frame(of machine: inout SessionMachine) -> TransitionQueue.Frame {
    TransitionQueue.Frame(of: &machine, after: shown.pointee, &view.pointee)
  }

  /// Writes the next update of a queue, unless the queue has to wait for the view. Returns what was
  /// written; `nil` if nothing was.
  ///
  /// - Parameter template: returns the template of the flow in a language.
  public mutating func writeNext(
    of queue: inout TransitionQueue, session: SessionName, detail: UpdateDetail,
    _ template: (_ language: UInt16) -> FlowTemplate
  ) -> (from: ViewState, frame: TransitionQueue.Frame)? {
    guard let next = queue.next(&changes, strings: { template($0).strings }) else { return nil }
    var view = next.frame.view
    let template = template(view.language)
    UpdateWriter.write(
      &view, changes, &output, session: session, revision: next.frame.revision, events: next.frame.events,
      detail: detail, template)
    return next
  }

  /// The maximum size of the part of an update that precedes its snapshot, without the session's
  /// name, in bytes.
  private static var headRoom: Int { 160 }

  /// Writes the start of an update, up to the end of the session's name.
  @inline(__always) private static func putHead(_ session: SessionName, _ pen: inout JSONPen) {
    pen.put(#"{"jsonrpc":"2.0","method":"session/update","params":{"session":"#)
    session.put(to: &pen)
  }

  /// Writes an update with these changes. If `session` is `nil`, writes only what follows the
  /// session's name. The method is static, so that the compiler knows that input and output do not
  /// overlap in memory.
  @inline(__always) private static func write(
    _ view: inout ViewState, _ changes: [ViewChange], _ output: inout ByteBuffer, session: SessionName?,
    revision: UInt64, events: UInt64, detail: UpdateDetail, _ template: FlowTemplate
  ) {
    template.withShownScreen(of: &view) { screen in
      let room = headRoom + (session?.room ?? 0) + (detail.hasSnapshot ? screen.room : 0)
      output.append(atMost: room) { pen in
        if let session { putHead(session, &pen) }
        pen.put(#","revision":"#)
        pen.put(decimal: revision)
        pen.put(#","events":"#)
        pen.put(decimal: events)
        if detail.hasSnapshot { pen.putSnapshot(screen.form.snapshotHead(screen.header.phase), screen) }
      }
    }
    if detail.hasSnapshot, view.showsMoreThanForm { output.appendSnapshotRest(&view, template) }
    if !detail.hasCommands { return output.append("}}\n") }
    if changes.isEmpty { return output.append(",\"commands\":[]}}\n") }
    output.append(#","commands":"#)
    output.appendCommands(changes, &view, template)
    output.append("}}\n")
  }

  /// Appends the machine's current snapshot to another buffer.
  public mutating func appendSnapshot(
    of machine: inout SessionMachine, _ template: FlowTemplate, to buffer: inout ByteBuffer
  ) {
    view.pointee.project(&machine)
    buffer.appendSnapshot(view.pointee, template)
  }
}
