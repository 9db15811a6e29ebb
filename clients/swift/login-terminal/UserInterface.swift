import Glibc

/// One of the program's three user interfaces: full screen, lines, or none (`--no-input`).
protocol UserInterface: AnyObject {
  /// The descriptor from which the user's input is read; -1 if there is none.
  var input: Int32 { get }
  var output: Outlet { get set }
  var signals: [Int32] { get }

  func enter()
  func leave()
  /// Called when the session has changed since it was last shown.
  func hasChanged()
  /// Called when the terminal may no longer show what was drawn, so that everything has to be drawn
  /// again.
  func showAgain()
  /// Draws the session. Called before each time the program waits, and after each line from the
  /// engine.
  func show(_ session: Session)
  /// How many milliseconds the program may wait for an event; -1 for no limit.
  func waitLimit(_ session: Session) -> Int32
  func read()
  /// What the user wants next, according to the input that was read; `nil` if there is nothing.
  /// `time` is when all available input had been read.
  func nextIntent(_ session: inout Session, at time: Int) -> Intent?
}

extension UserInterface {
  /// Handles a signal. Returns the exit status if the signal ends the program; otherwise `nil`.
  func handle(signal: Int32) -> Int32? {
    switch signal {
    case SIGWINCH: showAgain()
    case SIGCONT:
      enter()
      showAgain()
    default: return 128 + signal
    }
    return nil
  }
}

/// The input and output of the full-screen mode.
final class FullScreenInterface: UserInterface {
  private let terminal: Terminal
  var output: Outlet
  private var view = FullScreen()
  private var keys = KeyReader()
  private var shown: Frame?
  private var isGone = false
  /// Whether the user has pressed Enter while the engine had not acknowledged all edits. Enter, and
  /// all keys after it, are then handled later, because the edits may change what the button does.
  private var isHoldingEnter = false
  private var focusOfHeldEnter = Focus.primary
  private let isColored = System.variable("NO_COLOR") == nil
  /// Whether to draw hyperlinks. The Linux console does not know them and would draw their escape
  /// sequences as text.
  private let hasLinks = System.variable("TERM") != "linux"
  /// The name of the session, and for how many of its interrupting messages the bell has rung.
  private var heard = (session: "", count: 0)

  init() throws(Failure) {
    // The alternate screen, no automatic line wrap, and bracketed paste.
    terminal = try Terminal(
      beginning: "\u{1B}[?1049h\u{1B}[?7l\u{1B}[?2004h\u{1B}[2J",
      end: "\u{1B}[?2004l\u{1B}[?7h\u{1B}[?25h\u{1B}[0m\u{1B}[?1049l"
    ) { cfmakeraw(&$0) }
    output = Outlet(descriptor: terminal.descriptor)
  }

  var input: Int32 { terminal.descriptor }
  var signals: [Int32] { [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGWINCH, SIGTSTP, SIGCONT] }

  func enter() {
    // Output that was still waiting when the program was stopped is dropped.
    output = Outlet(descriptor: terminal.descriptor)
    output.write(terminal.enter())
  }

  func leave() {
    // Output that is still waiting is dropped, because a terminal that accepts nothing must not
    // delay the exit.
    output = Outlet(descriptor: terminal.descriptor)
    terminal.leave()
  }

  func hasChanged() {}
  func showAgain() { shown = nil }

  /// Draws the session, but only when the terminal has accepted the last frame. A slow terminal
  /// therefore skips frames.
  func show(_ session: Session) {
    guard !output.isWaiting || shown == nil else { return }
    view.follow(session)
    let size = terminal.size
    let tick = session.model.isActive ? System.steadyTime / 100 : 0
    let screen = Screen(
      session: session, focus: view.focus, list: view.list, scroll: view.scroll, columns: size.columns,
      rows: size.rows, tick: tick,
      look: Appearance(isColored: isColored, hasLinks: hasLinks, isMirrored: session.model.isRightToLeft))
    if view.scroll != 0 { view.scrollBack(into: screen.scrollLimits) }
    let frame = screen.frame()
    output.write(frame.bytes(after: shown))
    shown = frame
    interrupt(session)
  }

  /// Rings the terminal's bell for messages that should interrupt the user. A terminal has no other
  /// way to do that.
  private func interrupt(_ session: Session) {
    if heard.session != session.name { heard = (session.name, 0) }
    if session.interruptions > heard.count { output.write([0x07]) }
    heard.count = session.interruptions
  }

  func waitLimit(_ session: Session) -> Int32 {
    var limits = [keys.wait(at: System.steadyTime)].compactMap { $0.map(Int32.init) }
    if !output.isWaiting {
      if session.model.isActive {
        limits.append(100)
      } else if session.model.waits.contains(where: { session.countdown.secondsLeft(of: $0) != nil }) {
        limits.append(200)
      }
    }
    return limits.min() ?? -1
  }

  func read() {
    if let bytes = readAvailable(input) { keys.feed(bytes, at: System.steadyTime) } else { isGone = true }
  }

  func nextIntent(_ session: inout Session, at time: Int) -> Intent? {
    if isGone { return .endOfInput }
    if isHoldingEnter && session.isTypingAhead { return keys.nextForProgram().map { handle($0, &session) } }
    let held: Key? = isHoldingEnter ? .enter : nil
    isHoldingEnter = false
    view.follow(session)
    guard let key = held ?? keys.next(at: time) else { return nil }
    if key == .enter && held == nil && session.isTypingAhead && view.list == nil {
      isHoldingEnter = true
      focusOfHeldEnter = view.focus
      return .nothing
    }
    // If the focus has moved since Enter was pressed, for example to a new alert, Enter was not
    // meant for the newly focused element.
    if held != nil && view.focus != focusOfHeldEnter { return .nothing }
    return handle(key, &session)
  }

  private func handle(_ key: Key, _ session: inout Session) -> Intent {
    if key == .suspend, Signals.canStop {
      leave()
      Signals.stopJob()
    }
    if key == .redraw { showAgain() }
    return view.handle(key, &session)
  }
}

/// The interface for `--no-input`, which needs no user and shows nothing.
final class SilentInterface: UserInterface {
  var input: Int32 { -1 }
  var output = Outlet(descriptor: -1)
  var signals: [Int32] { [SIGINT, SIGTERM, SIGHUP, SIGQUIT] }

  func enter() {}
  func leave() {}
  func hasChanged() {}
  func showAgain() {}
  func show(_ session: Session) {}
  func waitLimit(_ session: Session) -> Int32 { -1 }
  func read() {}

  func nextIntent(_ session: inout Session, at time: Int) -> Intent? { session.needsPerson ? .askPerson : nil }
}
