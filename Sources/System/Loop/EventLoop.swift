/// An event loop that waits for descriptors and signals, and calls their handlers one after another
/// on the thread that calls `run`.
///
/// A turn is: `beforeWait`, one `poll(2)`, the handlers of signals, the handlers of ready
/// descriptors. It uses `poll` and not `epoll`, because `epoll` refuses regular files (`engine <
/// file`), and there are only a few descriptors.
///
/// A signal is handled before every descriptor that became ready after the signal was sent. So a
/// process that sends a signal and then writes, or closes its end, knows the order in which they
/// are handled.
public final class EventLoop {
  private var watchers = WatchTable()
  private let signals: SignalReceiver
  private var stopping = false

  /// Called once in each turn before waiting, to write the output of the last turn. Returns the
  /// longest time to wait in milliseconds, or `nil` for no limit.
  public var beforeWait: () -> Int? = { nil }

  public init() throws(SystemError) {
    signals = try SignalReceiver()
    _ = watch(signals.fd, .read) { [unowned signals] _ in signals.deliver() }
  }

  /// Calls `handler` whenever `fd` is ready for one of `interest`. The handler may watch and
  /// unwatch anything, itself included.
  public func watch(_ fd: Int32, _ interest: Interest, _ handler: @escaping (Readiness) -> Void) -> Watch {
    watchers.add(fd, interest, handler)
  }

  /// Changes the interest of a watch. With an empty interest, the descriptor is not polled at all,
  /// not even for hang-ups.
  public func setInterest(_ watch: Watch, _ interest: Interest) {
    watchers.setInterest(watch, interest)
  }

  /// Removes a watch. Its handler is not called again, not even for readiness in the current turn.
  /// Call this before closing the descriptor.
  public func unwatch(_ watch: Watch) {
    watchers.remove(watch)
  }

  /// Calls `handler` in a turn of the loop after `signal` arrived. If the signal arrives several
  /// times before that turn, `handler` is called once. SIGHUP and SIGINT stay ignored if they were
  /// ignored when the program started (`nohup`).
  public func onSignal(_ signal: Int32, _ handler: @escaping () -> Void) {
    precondition(signals.add(signal, handler), "signal \(signal) cannot be handled")
  }

  /// Runs turns until `stop` is called. Returns at once if `stop` was called before.
  public func run() {
    while !stopping { turn() }
    stopping = false
  }

  /// Makes `run` return after the handlers of this turn, without waiting again. Call it only on the
  /// loop's own thread.
  public func stop() { stopping = true }

  private func turn() {
    let timeout = beforeWait()
    guard !stopping else { return }
    watchers.wait(milliseconds: timeout)
    // poll(2) may have checked the signals' descriptor before a signal arrived, and another
    // descriptor afterwards.
    if signals.arePending { signals.deliver() }
    var next = 0
    while next < watchers.ready.count {
      let ready = watchers.ready[next]
      next += 1
      // Looked up each time, since an earlier handler may have unwatched it.
      guard let (handler, readiness) = watchers.receiver(of: ready) else { continue }
      handler(readiness)
    }
  }
}
