public import JSONCodec
import LoginForms
public import LoginMachine

/// Writes the update that an event leads to.
///
/// Before the event it notes what the view shows, afterwards it writes what the view shall show and the difference. Everything it
/// needs for that is kept from event to event, so that none allocates. Machines are passed `inout` only because they are not copied that way.
public struct UpdateWriter: ~Copyable {
  /// What was written and not yet taken.
  public var output: ByteBuffer
  private var shown = ViewState()
  private var view = ViewState()
  private var changes: [ViewChange] = []
  /// The only item that the event can change; `nil` if it may change all.
  private var changing: Int?

  /// A writer whose view shows nothing.
  public init(capacity: Int) { output = ByteBuffer(capacity: capacity) }

  /// Notes that the view shows nothing yet.
  public mutating func noteEmptyView() {
    shown = ViewState()
    changing = nil
  }

  /// Lets go of what was compared last, which would keep its screen until the next update.
  public mutating func forgetViews() {
    shown = ViewState()
    view = ViewState()
  }

  /// Notes what the view shows before an event. `edited` is the item that the event enters a value into, if it does nothing else and the update
  /// follows at once.
  public mutating func noteView(of machine: inout SessionMachine, edited: Int? = nil) {
    changing = edited.flatMap { machine.editsAlone($0) ? $0 : nil }
    shown.project(&machine, only: changing)
  }

  /// Writes the update to what the machine shows now. `edited` is the item whose value the view has changed itself.
  ///
  /// - Parameters:
  ///   - omitsSnapshot: whether the update has only the commands.
  ///   - writtenEvents: how many events counted in the update before. One that would say nothing, neither of what is shown nor of how many events count, is
  ///     not written, and the machine's revision is the one before.
  public mutating func writeUpdate(
    of machine: inout SessionMachine, session: UnsafeRawBufferPointer, edited: Int?, omitsSnapshot: Bool = false,
    writtenEvents: UInt64? = nil, _ template: FlowTemplate
  ) {
    view.project(&machine, only: changing)
    let (revision, events) = (machine.revision, machine.events)
    let screen = template.screen(of: view)
    changes.removeAll(keepingCapacity: true)
    Presenter.appendChanges(
      from: shown, to: view, edited: changing ?? edited, only: changing, on: screen.screen, template.strings,
      to: &changes)
    if changes.isEmpty, events == writtenEvents { return machine.withdrawRevision() }
    UpdateWriter.writeHead(session, &output)
    if changing != nil {
      // The other items are written as they are in the machine.
      UpdateWriter.writeRest(
        to: view, DraftItems(of: &machine), changes, &output, revision: revision, events: events,
        omitsSnapshot: omitsSnapshot, screen, template)
    } else {
      UpdateWriter.writeRest(
        to: view, view, changes, &output, revision: revision, events: events, omitsSnapshot: omitsSnapshot, screen,
        template)
    }
  }

  /// What follows the session's name in the update that comes before all others, for `writeUpdate(session:_:)`.
  public mutating func firstUpdate(
    of machine: inout SessionMachine, omitsSnapshot: Bool, _ template: FlowTemplate
  ) -> [UInt8] {
    var update = ByteBuffer(capacity: 4096)
    view.project(&machine)
    let screen = template.screen(of: view)
    changes.removeAll(keepingCapacity: true)
    Presenter.appendChanges(
      from: ViewState(), to: view, edited: nil, only: nil, on: screen.screen, template.strings, to: &changes)
    UpdateWriter.writeRest(
      to: view, view, changes, &update, revision: machine.revision, events: machine.events,
      omitsSnapshot: omitsSnapshot, screen, template)
    return update.array()
  }

  /// Writes an update that was made before, for a session of this name.
  public mutating func writeUpdate(session: UnsafeRawBufferPointer, _ rest: [UInt8]) {
    UpdateWriter.writeHead(session, &output)
    output.append(rest)
  }

  /// What the machine shows after an event, to be written later. Its revision may grow.
  public mutating func frame(of machine: inout SessionMachine) -> TransitionQueue.Frame {
    TransitionQueue.Frame(of: &machine, after: shown, &view)
  }

  /// Writes the next update that had to wait and may be written now. Returns what was written; `nil` if nothing was.
  ///
  /// - Parameter template: the flow in a language.
  public mutating func writeNext(
    of queue: inout TransitionQueue, session: UnsafeRawBufferPointer, omitsSnapshot: Bool = false,
    _ template: (_ language: UInt16) -> FlowTemplate
  ) -> (from: ViewState, frame: TransitionQueue.Frame)? {
    guard let next = queue.next(&changes, strings: { template($0).strings }) else { return nil }
    let (view, template) = (next.frame.view, template(next.frame.view.language))
    UpdateWriter.writeHead(session, &output)
    UpdateWriter.writeRest(
      to: view, view, changes, &output, revision: next.frame.revision, events: next.frame.events,
      omitsSnapshot: omitsSnapshot, template.screen(of: view), template)
    return next
  }

  @inline(__always) private static func writeHead(_ session: UnsafeRawBufferPointer, _ output: inout ByteBuffer) {
    output.append(#"{"jsonrpc":"2.0","method":"session/update","params":{"session":"#)
    output.appendJSONString(session)
  }

  /// Writes what follows the session's name, with the changes that lead there. Static, so that what is read and what is written are known to be apart. `items`
  /// says what the view shows of its items.
  @inline(__always) private static func writeRest(
    to view: borrowing ViewState, _ items: borrowing some ItemSource, _ changes: [ViewChange],
    _ output: inout ByteBuffer, revision: UInt64, events: UInt64, omitsSnapshot: Bool, _ screen: ScreenTemplate,
    _ template: FlowTemplate
  ) {
    output.append(#","revision":"#)
    output.append(decimal: revision)
    output.append(#","events":"#)
    output.append(decimal: events)
    if !omitsSnapshot { output.appendSnapshotMember(view, items, screen, template) }
    output.append(#","commands":"#)
    output.appendCommands(changes, view, screen, template)
    output.append("}}\n")
  }

  /// Appends what the machine shows now to another buffer.
  public mutating func appendSnapshot(
    of machine: inout SessionMachine, _ template: FlowTemplate, to buffer: inout ByteBuffer
  ) {
    view.project(&machine)
    buffer.appendSnapshot(view, template)
  }

  /// Appends the command that gives an item the value that it has in the machine. `isEmpty` says whether the view has emptied it.
  public mutating func appendUndo(
    of item: Int, in machine: inout SessionMachine, isEmpty: Bool, _ template: FlowTemplate, to buffer: inout ByteBuffer
  ) {
    view.project(&machine)
    appendUndo(of: item, in: view, isEmpty: isEmpty, template, to: &buffer)
  }

  /// Appends the command that gives an item the value that it has in a view; nothing if it is not there or has none, or if it is a secret that
  /// is empty on both sides.
  public func appendUndo(
    of item: Int, in view: borrowing ViewState, isEmpty: Bool, _ template: FlowTemplate, to buffer: inout ByteBuffer
  ) {
    let traits = template.screen(of: view).screen.traits[item]
    guard !view.items[item].isHidden, !traits.contains(.isText) else { return }
    if isEmpty, traits.contains(.isSecret), !view.items[item].isFilled { return }
    buffer.appendSetItem(item, traits.contains(.isSecret) ? .filled : .value, view, template)
  }
}
