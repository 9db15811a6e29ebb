import LoginMachine
import LoginProtocol

/// A cache of the initial state of sessions: the machine and the first update that all sessions
/// share which open on the same screen in the same language without values.
///
/// Entries are made on first use. There are at most as many as screens in the languages that were
/// asked for.
struct BlankSessions: ~Copyable {
  private struct Blank {
    let template: FlowTemplate
    let screen: Int
    let machine: SessionMachine
    /// The rest of the first update after the session's name, by detail, as far as one was written.
    var updates: [UpdateDetail: [UInt8]] = [:]
  }

  private var blanks: [Blank] = []
  /// The index of the entry that was used last, since the next session is usually opened like the
  /// last.
  private var last = 0

  init() {}

  /// The machine of a session on a screen of a flow before any input.
  mutating func machine(of template: FlowTemplate, on screen: Int) -> SessionMachine {
    find(template, screen)
    var machine = blanks[last].machine
    machine.reserveMemory()
    return machine
  }

  /// The rest of the first update, after the session's name, of a session with only the initial
  /// `machine`. `make` writes it on first use.
  mutating func update(
    of template: FlowTemplate, on screen: Int, detail: UpdateDetail, make: () -> [UInt8]
  ) -> [UInt8] {
    find(template, screen)
    if let known = blanks[last].updates[detail] { return known }
    let made = make()
    blanks[last].updates[detail] = made
    return made
  }

  private mutating func find(_ template: FlowTemplate, _ screen: Int) {
    func isWanted(_ blank: Blank) -> Bool { blank.template === template && blank.screen == screen }
    if blanks.indices.contains(last), isWanted(blanks[last]) { return }
    if let known = blanks.firstIndex(where: isWanted) {
      last = known
      return
    }
    last = blanks.count
    var machine = SessionMachine(flow: template.flow, screen: screen, language: template.language)
    // Sessions copy this memory, which costs less than making it for each.
    machine.reserveMemory()
    blanks.append(Blank(template: template, screen: screen, machine: machine))
  }
}
