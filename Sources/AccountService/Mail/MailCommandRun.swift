import Glibc
import SecretMemory
import System

/// One run of the mail command. The mail goes to the command's standard input, and the command's
/// output is discarded.
final class MailCommandRun {
  /// When to kill the command, by the monotonic clock.
  let deadline: UInt64
  private let mail: Mail
  private let loop: EventLoop
  private let child: ChildProcess
  private var sent = 0
  private var input: EventLoop.Watch?
  private var readers: [Int32: EventLoop.Watch] = [:]

  /// The draft that the mail was composed from. It holds the place that is reserved for the mail in
  /// the queue.
  let letter: MailDraft
  /// When the command was started.
  let start: UInt64

  init(_ mail: Mail, _ letter: MailDraft, by child: ChildProcess, loop: EventLoop, start: UInt64, deadline: UInt64) {
    self.mail = mail
    self.letter = letter
    self.child = child
    self.start = start
    self.loop = loop
    self.deadline = deadline
    if let input = child.input { self.input = loop.watch(input, .write) { [weak self] _ in self?.write() } }
    // The output is read, so that the command does not block. It is discarded, because it may quote
    // the address.
    for output in [child.output, child.error] {
      guard let output else { continue }
      readers[output] = loop.watch(output, .read) { [weak self] _ in self?.drop(from: output) }
    }
  }

  /// How the command ended. Nil while it runs.
  func status() -> ChildProcess.ExitStatus? {
    guard let status = child.reap() else { return nil }
    unwatch()
    return status
  }

  /// Kills the command and its process group.
  func kill() {
    unwatch()
    child.kill(SIGKILL)
  }

  private func write() {
    guard let descriptor = child.input else { return }
    let written = mail.message.withBytes {
      Descriptor.write(descriptor, UnsafeRawBufferPointer(rebasing: $0.dropFirst(sent)))
    }
    switch written {
    case .written(let count):
      sent += count
      if sent == mail.message.count { endInput() }
    case .wouldBlock: return
    // The command no longer reads. Its exit status tells whether it received what it needs.
    case .closed, .failed: endInput()
    }
  }

  private func endInput() {
    if let input { loop.unwatch(input) }
    input = nil
    child.closeInput()
  }

  private func drop(from descriptor: Int32) {
    let count = withUnsafeTemporaryAllocation(byteCount: 4_096, alignment: 1) {
      read(descriptor, $0.baseAddress, $0.count)
    }
    let isOver = count == 0 || count < 0 && errno != EAGAIN && errno != EINTR
    if isOver, let watch = readers.removeValue(forKey: descriptor) { loop.unwatch(watch) }
  }

  private func unwatch() {
    if let input { loop.unwatch(input) }
    input = nil
    for watch in readers.values { loop.unwatch(watch) }
    readers = [:]
  }
}
