import LoginMachine
import LoginProtocol

/// A cache of the initial states of sessions. All sessions that open on the same screen, in the
/// same language and without values, start with the same machine and the same first update.
///
/// An entry is made when the first session with this screen and language opens. There is at most
/// one entry for each screen in each language.
struct BlankSessions: ~Copyable {
  private struct Blank {
    let template: FlowTemplate
    let screen: Int
    let machine: SessionMachine
    /// The first update for each `UpdateDetail` that was needed so far. The stored text begins
    /// after the session's name, so that all sessions can share it.
    var updates: [UpdateDetail: [UInt8]] = [:]
  }

  private var blanks: [Blank] = []
  /// The index of the entry that was used last. The next session usually needs the same entry.
  private var last = 0

  init() {}

  /// The machine of a new session on a screen of a flow, before any input.
  mutating func machine(of template: FlowTemplate, on screen: Int) -> SessionMachine {
    find(template, screen)
    var machine = blanks[last].machine
    machine.reserveMemory()
    return machine
  }

  /// The first update of a new session, without its beginning up to the session's name. `make`
  /// writes it if it is not in the cache.
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
    // New sessions copy this machine with its reserved memory, which costs less than reserving it
    // for each of them.
    machine.reserveMemory()
    blanks.append(Blank(template: template, screen: screen, machine: machine))
  }
}
