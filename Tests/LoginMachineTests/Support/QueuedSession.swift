import LoginMachine
import Testing

/// A machine together with the queue of updates to its view.
struct QueuedSession {
  var machine: SessionMachine
  var queue: TransitionQueue
  /// The revisions that were written to the view, in order.
  var written: [UInt64] = []
  /// The changes of each update that was written to the view.
  var changes: [[ViewChange]] = []

  init(_ policy: FlowOptions.TransitionPolicy, _ flow: Flow? = nil) throws {
    machine = SessionMachine(flow: try flow ?? standardFlow(), screen: 0)
    queue = TransitionQueue(policy: policy, of: machine.flow)
    show(after: ViewState())
  }

  /// Appends what the machine shows after an event to the queue. Before the event it showed
  /// `before`.
  mutating func show(after before: ViewState, edited: Int? = nil) {
    var view = ViewState()
    queue.append(TransitionQueue.Frame(of: &machine, after: before, &view), edited: edited)
    write()
  }

  mutating func write() {
    var found: [ViewChange] = []
    while let (_, frame) = queue.next(&found) {
      written.append(frame.revision)
      changes.append(found)
    }
  }

  mutating func type(_ text: String, into id: String) throws {
    let before = machine.view
    try machine.type(text, into: id)
    show(after: before, edited: try machine.item(id))
  }

  @discardableResult mutating func press(_ action: SessionMachine.Action, question: QuestionID? = nil) -> Step {
    let before = machine.view
    let step = machine.press(action, question: question ?? QuestionID(number: machine.revision))
    if step.isShown { show(after: before) }
    return step
  }

  mutating func answer(_ answer: Answer, to id: QuestionID) {
    let before = machine.view
    _ = machine.handleAnswer(answer, to: id)
    show(after: before)
  }

  mutating func notify(_ message: Message?, _ alert: Alert? = nil, of id: ConversationID) {
    let before = machine.view
    if machine.notify(message, alert, of: id).isShown { show(after: before) }
  }

  mutating func present(_ revision: UInt64) -> Bool {
    let isAwaited = queue.present(revision)
    write()
    return isAwaited
  }

  /// Reports to the queue that the view has presented each update, until none is left.
  mutating func presentAll() { while let awaited = queue.awaited { _ = present(awaited) } }

  /// Presents all updates, and then empties the record of written updates.
  mutating func settle() {
    presentAll()
    (written, changes) = ([], [])
  }
}

extension TransitionQueue {
  /// Takes the next update from the queue. The flow has no texts here, so messages are shown with
  /// their own texts in all languages.
  mutating func next(_ changes: inout [ViewChange]) -> (from: ViewState, frame: Frame)? {
    next(&changes) { _ in StringTable([:]) }
  }

  mutating func next() -> (from: ViewState, frame: Frame)? {
    var changes: [ViewChange] = []
    return next(&changes)
  }
}
