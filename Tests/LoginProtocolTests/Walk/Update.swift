import JSONCodec
import LoginForms
import LoginMachine
import LoginProtocol

/// One update as it is written: the bytes of its snapshot and of its commands.
struct Update {
  var snapshotBytes: [UInt8]
  var commandBytes: [UInt8]

  /// What leads from `old` to `new`.
  init(from old: borrowing ViewState, to new: borrowing ViewState, edited: Int?, _ template: FlowTemplate) {
    var changes: [ViewChange] = []
    let screen = template.flow.screens[new.screenIndex]
    Presenter.appendChanges(from: old, to: new, edited: edited, on: screen, to: &changes)
    snapshotBytes = []
    commandBytes = []
    var buffer = ByteBuffer(capacity: 4096)
    buffer.appendSnapshot(new, template)
    snapshotBytes = buffer.array()
    buffer.removeAll()
    buffer.appendCommands(changes, new, template)
    commandBytes = buffer.array()
  }
}

/// Law 1: what a view showed, the edit accepted since and `commands` make `snapshot`, and no command says what was so already.
///
/// Returns what is wrong, and leaves in `view` what the view shows afterwards.
func breachesOfLawOne(_ view: inout ViewDocument, commands: JSONValue, snapshot: JSONValue) -> [String] {
  let before = view.root
  view.complaints = []
  view.apply(commands)
  var complaints = view.complaints
  if !same(view.root, snapshot) { complaints.append("the commands do not lead to the snapshot") }
  if same(before, snapshot), commands.array?.isEmpty != true { complaints.append("nothing changed, but not []") }
  return complaints
}
