import System

/// Delivery of one mail by a command that then ends.
enum MailSender {
  /// Delivers a mail. Returns whether the mail command or the outbox has accepted it; a failure is
  /// reported.
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
