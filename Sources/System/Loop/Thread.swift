import Glibc

/// A POSIX thread, without Foundation.
enum Thread {
  private final class Body: Sendable {
    let run: @Sendable () -> Void
    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
  }

  /// Runs `body` on a new thread that handles no signals. The caller has to join it.
  static func start(_ body: @escaping @Sendable () -> Void) throws(SystemError) -> pthread_t {
    let context = Unmanaged.passRetained(Body(body))
    var all = sigset_t()
    var before = sigset_t()
    sigfillset(&all)
    pthread_sigmask(SIG_SETMASK, &all, &before)
    var thread = pthread_t()
    let failure = pthread_create(
      &thread, nil,
      { context in
        guard let context else { return nil }
        Unmanaged<Body>.fromOpaque(context).takeRetainedValue().run()
        return nil
      }, context.toOpaque())
    pthread_sigmask(SIG_SETMASK, &before, nil)
    guard failure == 0 else {
      context.release()
      throw SystemError(call: "pthread_create", number: failure)
    }
    return thread
  }
}
