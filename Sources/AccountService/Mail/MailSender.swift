import System

/// Sends one mail for an administrator's command, which exits afterwards.
enum MailSender {
  /// Sends a mail and waits until it is delivered. Returns whether the mail command or the outbox
  /// has accepted it. Reports a failure.
  static func send(_ letter: MailDraft, _ arguments: Arguments, texts: @escaping MailTexts) -> Bool {
    do throws(SystemError) {
      let loop = try EventLoop()
      let mailer = MailQueue(arguments, texts: texts, loop: loop)
      mailer.send(letter)
      mailer.close()
      loop.beforeWait = {
        let next = mailer.progress()
        if mailer.count == 0 { loop.stop() }
        let now = MonotonicClock.now()
        return next.map { Int(clamping: $0 - min(now, $0)) }
      }
      loop.run()
      return !mailer.hasFailed
    } catch {
      Console.reportError("A mail could not be handed over: \(error).")
      return false
    }
  }
}
