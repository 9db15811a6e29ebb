import EventLoop
import LoginMachine
import LoginProtocol

/// One open session: its machine, its secrets, and what the engine has to know to serve it.
final class Session {
  /// The name on the wire, in UTF-8.
  let id: [UInt8]
  /// Where it stands in the table.
  let slot: Int
  /// The flow in the session's language.
  let template: FlowTemplate
  @exclusivity(unchecked) var machine: SessionMachine
  @exclusivity(unchecked) var vault = Vault()
  /// When the last event came, in milliseconds.
  @exclusivity(unchecked) var lastActive: UInt64
  var idleTimer: TimerID?
  /// Whether it still is in the table.
  var isOpen = true

  init(id: [UInt8], slot: Int, template: FlowTemplate, machine: SessionMachine, now: UInt64) {
    self.id = id
    self.slot = slot
    self.template = template
    self.machine = machine
    lastActive = now
  }
}
