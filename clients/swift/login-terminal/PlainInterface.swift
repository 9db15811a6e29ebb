import Glibc

/// The input and output of the line mode.
final class PlainInterface: UserInterface {
  var output: Outlet
  private var view: Plain
  private var isStale = true
  private var isAtEnd = false
  /// The bytes that were read from a pipe and not yet processed as lines.
  private var buffer: [UInt8] = []
  /// The terminal for typing; `nil` if standard input is a pipe.
  private let terminal: Terminal?
  private var typing = Typing()

  /// Opens the terminal if standard input is one.
  ///
  /// - Parameter output: the descriptor to which the screens are printed.
  init(output: Int32, endsWithSession: Bool) {
    self.output = Outlet(descriptor: output)
    view = Plain(endsWithSession: endsWithSession)
    // This program echoes what is typed: the terminal would show a secret before a whole line could
    // be read.
    terminal = try? Terminal(beginning: "", end: "") { $0.c_lflag &= ~tcflag_t(ICANON | ECHO) }
  }

  /// The descriptor to wait for; -1 after the end of the input. Also -1 while complete lines are
  /// waiting to be processed, so that further input stays in the pipe.
  ///
  /// A terminal is read through its own non-blocking descriptor: Ctrl-Z discards input that `poll`
  /// has already reported.
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
    guard isStale, session.isInSync || session.isAcknowledging && session.hasBegun else { return }
    isStale = false
    if typing.leaveRow() { output.write([UInt8(ascii: "\n")]) }
    output.write(Array(view.text(of: session).utf8))
  }

  func waitLimit(_ session: Session) -> Int32 {
    let wait = typing.keys.wait(at: System.steadyTime).map(Int32.init)
    return terminal?.isWaiting == true ? min(wait ?? 10, 10) : wait ?? -1
  }

  func read() {
    guard let bytes = readAvailable(input) else {
      isAtEnd = true
      return
    }
    if terminal == nil { buffer += bytes } else { typing.keys.feed(bytes, at: System.steadyTime) }
  }

  func nextIntent(_ session: inout Session, at time: Int) -> Intent? {
    terminal?.flush()
    guard view.isReady(session), !isStale else { return nil }
    let line: [UInt8]
    if let terminal {
      // The prompt has to be on the terminal before the text that the user types.
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
