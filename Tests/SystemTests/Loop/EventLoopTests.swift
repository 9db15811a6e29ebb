import Glibc
import SecretMemory
import System
import Testing

@Suite("The event loop")
struct EventLoopTests {
  @Test("a watched pipe delivers its bytes and then its end to the handler")
  func pipes() throws {
    let loop = try EventLoop()
    let pipe = try TestPipe()
    var buffer = LineBuffer(maximumLineBytes: 100)
    var lines: [ReadLine] = []
    _ = loop.watch(pipe.readEnd, .read) { ready in
      #expect(ready.readable && !ready.writable)
      switch buffer.fill(from: pipe.readEnd) {
      case .bytes:
        while let line = buffer.next() { lines.append(ReadLine(line)) }
        pipe.closeWriteEnd()
      default:
        #expect(ready.closed)
        loop.stop()
      }
    }
    pipe.write("one\ntwo\n")
    loop.run()
    #expect(lines == [.whole(Array("one".utf8)), .whole(Array("two".utf8))])
  }

  @Test("a handler for writing is called when the pipe has room, and when its reader is gone")
  func writer() throws {
    let loop = try EventLoop()
    let pipe = try TestPipe()
    var readiness: [EventLoop.Readiness] = []
    _ = loop.watch(pipe.writeEnd, .write) { ready in
      readiness.append(ready)
      // `closed` may arrive late: a child that another test is just starting may hold the read end
      // for a moment.
      if ready.closed { loop.stop() }
      pipe.closeReadEnd()
    }
    loop.run()
    #expect(readiness.first == .init(readable: false, writable: true, closed: false))
    #expect(readiness.last == .init(readable: false, writable: true, closed: true))
  }

  @Test("readiness of an unwatched descriptor does not reach a new descriptor with the same number")
  func reusedNumber() throws {
    let loop = try EventLoop()
    let first = try TestPipe()
    let second = try TestPipe()
    let silent = try TestPipe()
    var called: [String] = []
    var secondWatch: EventLoop.Watch?
    _ = loop.watch(first.readEnd, .read) { _ in
      called.append("first")
      secondWatch.map(loop.unwatch)
      // `dup2` replaces the pipe under this number in one step, because other tests may open
      // descriptors meanwhile.
      dup2(silent.readEnd, second.readEnd)
      _ = loop.watch(second.readEnd, .read) { _ in called.append("new") }
      loop.stop()
    }
    secondWatch = loop.watch(second.readEnd, .read) { _ in called.append("second") }
    first.write("x")
    second.write("x")
    loop.run()
    #expect(called == ["first"])
  }

  @Test("no handler is called for an interest that another handler has removed in the same turn")
  func interestTakenBack() throws {
    let loop = try EventLoop()
    let first = try TestPipe()
    let second = try TestPipe()
    var called = 0
    var secondWatch: EventLoop.Watch?
    _ = loop.watch(first.readEnd, .read) { _ in
      if let secondWatch { loop.setInterest(secondWatch, []) }
      loop.stop()
    }
    secondWatch = loop.watch(second.readEnd, .read) { _ in called += 1 }
    first.write("x")
    second.write("x")
    loop.run()
    #expect(called == 0)
    if let secondWatch { loop.setInterest(secondWatch, .read) }
    loop.beforeWait = {
      loop.stop()
      return nil
    }
    loop.run()
    #expect(called == 0)
  }

  @Test("a watch with an empty interest ignores even a hang-up")
  func noInterest() throws {
    let loop = try EventLoop()
    let pipe = try TestPipe()
    var called = 0
    let watch = loop.watch(pipe.readEnd, []) { _ in
      called += 1
      loop.stop()
    }
    pipe.closeWriteEnd()
    var turns = 0
    loop.beforeWait = {
      turns += 1
      guard turns > 3 else { return 10 }
      #expect(called == 0)
      loop.setInterest(watch, .read)
      return nil
    }
    loop.run()
    #expect(called == 1 && turns >= 4)
  }

  @Test("an event loop's run returns at once if stop was called before, and the loop can run again afterwards")
  func stops() throws {
    let loop = try EventLoop()
    var turns = 0
    loop.beforeWait = {
      turns += 1
      loop.stop()
      return nil
    }
    loop.stop()
    loop.run()
    #expect(turns == 0)
    loop.run()
    #expect(turns == 1)
  }

  @Test("a signal calls its handlers in every running loop, but not in loops that have been released")
  func signals() throws {
    let loop = try EventLoop()
    let other = try EventLoop()
    var called: [String] = []
    other.onSignal(SIGUSR1) {
      called.append("other")
      other.stop()
    }
    do {
      let ended = try EventLoop()
      ended.onSignal(SIGUSR1) { called.append("ended") }
    }
    loop.onSignal(SIGUSR1) { called.append("one") }
    loop.onSignal(SIGUSR2) { called.append("never") }
    loop.onSignal(SIGUSR1) {
      called.append("two")
      loop.stop()
    }
    for _ in 0..<1_000 { kill(getpid(), SIGUSR1) }
    loop.run()
    other.run()
    // Some of the signals may arrive after the first ones were handled.
    #expect(called.prefix(2) == ["one", "two"] && called.last == "other" && Set(called) == ["one", "two", "other"])
  }

  @Test("a signal that was blocked when the program was started calls its handler nevertheless")
  func blockedSignal() throws {
    var blocked = sigset_t()
    sigemptyset(&blocked)
    sigaddset(&blocked, SIGWINCH)
    pthread_sigmask(SIG_BLOCK, &blocked, nil)
    let loop = try EventLoop()
    var called = 0
    loop.onSignal(SIGWINCH) { called += 1 }
    // The signal is sent to this thread only, because other threads may not have blocked it.
    pthread_kill(pthread_self(), SIGWINCH)
    var turns = 0
    loop.beforeWait = {
      turns += 1
      if called > 0 || turns > 3 { loop.stop() }
      return 1_000
    }
    loop.run()
    #expect(called == 1)
  }
}
