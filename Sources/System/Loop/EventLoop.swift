/// Waits for descriptors and signals, and calls handlers, one after another, all on the thread that calls `run`.
///
/// A turn is: `beforeWait`, one `poll(2)`, the handlers of signals, the handlers of what became ready. `poll` and not `epoll`,
/// because `epoll` refuses regular files (`engine < file`), and there are only a few descriptors.
///
/// A signal is handled before every descriptor that became ready after the signal was sent, so that whoever sends a signal and
/// then writes, or closes its end, knows which of the two comes first.
public final class EventLoop {
  private var watchers = WatchTable()
  private let signals: SignalReceiver
  private var stopping = false

  /// Called once in each turn before waiting, to write out what the last turn produced. Returns the longest time to wait in
  /// milliseconds, or `nil` for ever.
  public var beforeWait: () -> Int? = { nil }

  public init() throws(SystemError) {
    signals = try SignalReceiver()
    _ = watch(signals.fd, .read) { [unowned signals] _ in signals.deliver() }
  }

  /// Calls `handler` whenever `fd` is ready for one of `interest`. The handler may watch and unwatch anything, itself included.
  public func watch(_ fd: Int32, _ interest: Interest, _ handler: @escaping (Readiness) -> Void) -> Watch {
    watchers.add(fd, interest, handler)
  }

  /// Changes what is waited for. With no interest the descriptor is left out altogether, hang-ups included.
  public func setInterest(_ watch: Watch, _ interest: Interest) {
    watchers.setInterest(watch, interest)
  }

  /// The handler will not be called again, not even for what is ready in this very turn. Do this before closing the descriptor.
  public func unwatch(_ watch: Watch) {
    watchers.remove(watch)
  }

  /// Calls `handler` in a turn of the loop after `signal` came, once, however often it came. SIGHUP and SIGINT stay
  /// ignored if the program was started so (`nohup`).
  public func onSignal(_ signal: Int32, _ handler: @escaping () -> Void) {
    precondition(signals.add(signal, handler), "signal \(signal) cannot be handled")
  }

  /// Runs turns until `stop` is called. Returns at once if `stop` was called before.
  public func run() {
    while !stopping { turn() }
    stopping = false
  }

  /// Lets `run` return: after the handlers of this turn, without waiting again. Only from the loop's own thread.
  public func stop() { stopping = true }

  private func turn() {
    let timeout = beforeWait()
    guard !stopping else { return }
    watchers.wait(milliseconds: timeout)
    // poll(2) may have looked at the descriptor of the signals before one came, and at another descriptor after that.
    if signals.arePending { signals.deliver() }
    var next = 0
    while next < watchers.ready.count {
      let ready = watchers.ready[next]
      next += 1
      // Looked up for each one: an earlier handler may have unwatched it.
      guard let (handler, readiness) = watchers.receiver(of: ready) else { continue }
      handler(readiness)
    }
  }
}
