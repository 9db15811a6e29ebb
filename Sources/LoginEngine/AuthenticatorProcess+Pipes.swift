import EventLoop
import LoginForms

/// Its standard input and output.
extension AuthenticatorProcess {
  func writeOutgoing() {
    guard let input = child?.input else { return replaceIfDeaf() }
    while let (line, asking) = outgoing.next() {
      switch line.write(to: input, from: outgoing.sent) {
      case .written(let count):
        if isFull { observer?.authenticatorReadsOn(self) }
        isFull = false
        if let observer, outgoing.sent == 0 { line.withBytes { observer.asks($0, self) } }
        if let asking { noteAsked(asking) }
        outgoing.advance(count)
      case .wouldBlock:
        if !isFull { observer?.authenticatorIsFull(self) }
        isFull = true
        if inputWatch == nil { inputWatch = loop.watch(input, .write) { [unowned self] _ in writeOutgoing() } }
        return
      case .closed where isFresh, .failed where isFresh:
        if let observer, outgoing.sent == 0 { line.withBytes { observer.asks($0, self) } }
        if let asking { noteAsked(asking) }
        outgoing.advance(line.count - outgoing.sent)
      case .closed, .failed:
        if !isEnding { observer?.authenticatorIsDeaf(self) }
        // Its output tells what became of what it was asked; what it was not told yet waits for the next.
        unwatchInput()
        child?.closeInput()
        replaceIfDeaf()
        return
      }
    }
    unwatchInput()
  }

  func unwatchInput() {
    if let inputWatch { loop.unwatch(inputWatch) }
    inputWatch = nil
  }

  /// Waits for its answers, or lets them wait in the pipe.
  func setReading(_ isReading: Bool) {
    if let outputWatch { loop.setInterest(outputWatch, isReading ? .read : []) }
  }

  /// Reads what there is and tells the owner, as long as it can take it.
  func readAnswers() {
    guard let output = child?.output, owner.canTakeAnswers else { return }
    let current = generation
    let fill = lines.fill(from: output)
    takeAnswers()
    // What it said may have ended it already, and another may run.
    guard generation == current, !hasStalledAnswers else { return }
    switch fill {
    case .bytes(let count):
      guard let left = leftToRead else { return }
      leftToRead = left - count
      if left <= count { end() }
    case .wouldBlock: if leftToRead != nil { end() }
    case .endOfFile where isEnding && leftToRead == nil:
      // It may still have something to finish.
      if let outputWatch { loop.unwatch(outputWatch) }
      outputWatch = nil
    case .endOfFile: end()
    case .failed(let error): end("cannot be read: \(error)")
    }
  }

  private func end(_ reason: String = "has ended") {
    if !isEnding { observer?.authenticatorExits(self) }
    fail(.exited, reason)
  }

  /// Tells the owner the lines that were read, as long as it can take them.
  func takeAnswers() {
    hasStalledAnswers = false
    let current = generation
    while generation == current {
      guard owner.canTakeAnswers else {
        hasStalledAnswers = true
        return
      }
      switch lines.next() {
      case .whole(let line):
        silence = 0
        // The answer may lead to anything, but not to another process before this line was judged.
        owner.authenticator(self, said: line)
      case .tooLong:
        observer?.hearsTooLong(maximumLineBytes, self)
        fail(.invalidAnswer, "wrote a line over \(maximumLineBytes) bytes")
      case .unterminated, nil:
        replaceIfDeaf()
        return
      }
    }
  }
}
