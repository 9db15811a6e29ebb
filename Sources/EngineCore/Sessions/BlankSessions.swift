import LoginMachine
import LoginProtocol

/// What all sessions have in common that begin on the same screen in the same language without any value: a machine, and the update that is written first.
///
/// Made when the first of them is opened. There are no more of them than screens in the languages that somebody has asked for.
struct BlankSessions: ~Copyable {
  private struct Blank {
    let template: FlowTemplate
    let screen: Int
    let machine: SessionMachine
    /// What follows the session's name in the first update, as far as one was written.
    var updates: [UpdateDetail: [UInt8]] = [:]
  }

  private var blanks: [Blank] = []
  /// Which one was asked for last, because the next session is most often opened like the last.
  private var last = 0

  init() {}

  /// A session's machine on a screen of a flow, before anything was entered.
  mutating func machine(of template: FlowTemplate, on screen: Int) -> SessionMachine {
    find(template, screen)
    var machine = blanks[last].machine
    machine.reserveMemory()
    return machine
  }

  /// What follows the session's name in the first update of a session for which nothing but `machine` was decided. `make` writes it where it was not asked for
  /// before.
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
    // Sessions copy it, which costs less than to make such memory for each.
    machine.reserveMemory()
    blanks.append(Blank(template: template, screen: screen, machine: machine))
  }
}
