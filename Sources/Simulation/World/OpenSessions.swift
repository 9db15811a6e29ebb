/// The open sessions of a world, by name and as a list.
struct OpenSessions {
  private var byName: [[UInt8]: ViewSession] = [:]
  /// The sessions in arbitrary order, for random choices.
  private(set) var list: [ViewSession] = []
  /// The number of sessions opened so far, including closed ones.
  private(set) var opened = 0

  subscript(name: [UInt8]) -> ViewSession? { byName[name] }

  /// Adds a session and gives it the next number in the world.
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
