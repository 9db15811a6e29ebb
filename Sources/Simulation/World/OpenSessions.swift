/// The sessions that are open in a world: each is found by its name, and stands once in the list.
struct OpenSessions {
  private var byName: [[UInt8]: ViewSession] = [:]
  /// In no order that means anything, to choose one from.
  private(set) var list: [ViewSession] = []
  /// How many were ever opened.
  private(set) var opened = 0

  subscript(name: [UInt8]) -> ViewSession? { byName[name] }

  /// Makes a session with the next number.
  mutating func open(_ name: [UInt8], isAcknowledged: Bool, flow: String) -> ViewSession {
    let session = ViewSession(name: name, number: opened, isAcknowledged: isAcknowledged, flow: flow)
    opened += 1
    byName[name] = session
    list.append(session)
    return session
  }

  mutating func close(_ session: ViewSession) {
    session.isOpen = false
    byName[session.name] = nil
    guard let index = list.firstIndex(where: { $0 === session }) else { return }
    list.swapAt(index, list.count - 1)
    list.removeLast()
  }

  mutating func closeAll() {
    for session in list { session.isOpen = false }
    byName = [:]
    list = []
  }
}
