import CSystem

/// The signals of one loop, as a descriptor that becomes readable.
final class SignalReceiver {
  let fd: Int32
  private let receiver: Int32
  private var handlers: [Handler] = []

  /// A signal and its handler. It is not a tuple, because the type metadata of a tuple would have
  /// to be made each time a program starts.
  private struct Handler {
    var signal: Int32
    var call: () -> Void
  }

  init() throws(SystemError) {
    var descriptor: Int32 = -1
    receiver = csystem_signals_open(&descriptor)
    guard receiver >= 0 else { throw .last("eventfd") }
    fd = descriptor
  }

  deinit { csystem_signals_close(receiver) }

  /// Registers a handler. Returns false if the number is no signal, or a signal that cannot be
  /// handled.
  func add(_ signal: Int32, _ handler: @escaping () -> Void) -> Bool {
    handlers.append(Handler(signal: signal, call: handler))
    return csystem_signals_add(receiver, signal) == 0
  }

  /// Whether there is a signal that has arrived and whose handler was not called yet.
  var arePending: Bool { csystem_signals_pending(receiver) != 0 }

  func deliver() {
    let came = csystem_signals_take(receiver)
    for handler in handlers where came >> UInt64(handler.signal) & 1 == 1 { handler.call() }
  }
}
