import Glibc

/// The line mode's input and output.
final class PlainInterface: UserInterface {
  var output: Outlet
  private var view: Plain
  private var isStale = true
  private var isAtEnd = false
  /// What has come through a pipe.
  private var buffer: [UInt8] = []
  /// Where a person types, if not into a pipe.
  private let terminal: Terminal?
  private var typing = Typing()

  /// - Parameter output: The descriptor for what is printed.
  init(output: Int32, endsWithSession: Bool) {
    self.output = Outlet(descriptor: output)
    view = Plain(endsWithSession: endsWithSession)
    // What is typed is echoed by this program: the terminal would show a secret before a whole line of it could be read.
    terminal = try? Terminal(beginning: "", end: "") { $0.c_lflag &= ~tcflag_t(ICANON | ECHO) }
  }

  /// No input is read after its end, nor while whole lines wait: the rest can stay in the pipe.
  ///
  /// A terminal is read through its own descriptor, which never blocks: Ctrl-Z discards what `poll` has already promised.
  var input: Int32 {
    if isAtEnd || buffer.count > 65_536 && buffer.contains(UInt8(ascii: "\n")) { return -1 }
    return terminal?.descriptor ?? 0
  }
  var signals: [Int32] { [SIGINT, SIGTERM, SIGHUP, SIGQUIT] + (terminal == nil ? [] : [SIGTSTP, SIGCONT]) }

  func enter() { _ = terminal?.enter() }

  func leave() {
    terminal?.leave()
    let deadline = System.steadyTime + 1_000
    var request = pollfd(fd: output.descriptor, events: Int16(POLLOUT), revents: 0)
    while output.isWaiting, System.steadyTime < deadline { if poll(&request, 1, 100) > 0 { output.flush() } }
  }

  func hasChanged() { isStale = true }
  func showAgain() { isStale = true }

  func show(_ session: Session) {
    guard isStale, session.isLevel || session.isAcknowledging && session.hasBegun else { return }
    isStale = false
    if typing.leaveRow() { output.write([UInt8(ascii: "\n")]) }
    output.write(Array(view.text(of: session).utf8))
  }

  func waitLimit(_ session: Session) -> Int32 { typing.keys.wait(at: System.steadyTime).map(Int32.init) ?? -1 }

  func read() {
    guard let bytes = readAvailable(input) else {
      isAtEnd = true
      return
    }
    if terminal == nil { buffer += bytes } else { typing.keys.feed(bytes, at: System.steadyTime) }
  }

  func nextIntent(_ session: inout Session, at time: Int) -> Intent? {
    guard view.isReady(session), !isStale else { return nil }
    let line: [UInt8]
    if let terminal {
      // What stands before the typed text has to be on the terminal before it.
      guard !output.isWaiting else { return nil }
      let event = typing.next(at: time, prompt: view.prompt, sees: { view.visible($0, session) }, echo: terminal.write)
      switch event {
      case .line(let typed): line = typed.bytes
      case .end: return .quit
      case .interrupt: return .interrupt
      case nil: return isAtEnd && !session.model.isActive ? .endOfInput : nil
      }
    } else {
      guard let end = buffer.firstIndex(of: UInt8(ascii: "\n")) else {
        return isAtEnd && !session.model.isActive ? .endOfInput : nil
      }
      line = Array(buffer[..<end])
      buffer.removeFirst(end + 1)
    }
    let intent = view.handle(line.last == UInt8(ascii: "\r") ? line.dropLast() : line, &session)
    output.write(Array((view.reply.map { $0 + "\n" } ?? view.question(session)).utf8))
    return intent
  }
}
