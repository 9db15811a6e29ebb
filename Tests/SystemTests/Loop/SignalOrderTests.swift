import Foundation
import System
import TestSupport
import Testing

@Suite("The order of signals and descriptors", .waits)
struct SignalOrderTests {
  @Test("a signal is handled before descriptors that became ready after it was sent")
  func signalFirst() throws {
    let loop = try EventLoop()
    let pipe = try TestPipe()
    let (loopThread, writeEnd) = (pthread_self(), pipe.writeEnd)
    // The kernel's order of events is random, so there are many rounds.
    let rounds = 500
    let isWaiting = DispatchSemaphore(value: 0)
    let sender = Thread {
      for _ in 0..<rounds {
        isWaiting.wait()
        usleep(100)
        // This signal goes to the loop's own thread. It has no effect, because it has no handler.
        pthread_kill(loopThread, SIGURG)
        _ = writeText(writeEnd, "x")
      }
    }
    var (signals, bytes, early) = (0, 0, 0)
    loop.onSignal(SIGURG) { signals += 1 }
    _ = loop.watch(pipe.readEnd, .read) { _ in
      var byte: UInt8 = 0
      guard read(pipe.readEnd, &byte, 1) == 1 else { return }
      bytes += 1
      if signals < bytes { early += 1 }
      if bytes == rounds { loop.stop() } else { isWaiting.signal() }
    }
    sender.start()
    isWaiting.signal()
    loop.run()
    #expect(early == 0, "\(early) of \(rounds) bytes came before the signals that were sent before them")
  }
}
