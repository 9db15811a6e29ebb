import Glibc
import Testing

@testable import System

@Suite("Progress lines")
struct ProgressLineTests {
  /// What `body` writes to a descriptor: one side of a terminal, or the write end of a pipe.
  private func written(onTerminal: Bool, _ body: (Int32) -> Void) -> String {
    var ends: [Int32] = [-1, -1]
    if onTerminal {
      var (ours, theirs): (Int32, Int32) = (-1, -1)
      guard openpty(&ours, &theirs, nil, nil, nil) == 0 else { return "no terminal" }
      ends = [ours, theirs]
    } else {
      guard pipe(&ends) == 0 else { return "no pipe" }
    }
    body(ends[1])
    // A final byte, so that reading ends even if `body` has written nothing.
    _ = write(ends[1], "|", 1)
    var (text, byte) = ("", UInt8(0))
    while read(ends[0], &byte, 1) == 1, byte != 0x7C { text.unicodeScalars.append(Unicode.Scalar(byte)) }
    for end in ends { close(end) }
    return text
  }

  private func line(_ descriptor: Int32, kind: String = "xterm", delay: UInt64 = 0, interval: UInt64 = 0)
    -> ProgressLine
  {
    ProgressLine("files", of: 8, on: descriptor, terminal: kind, delay: delay, interval: interval)
  }

  @Test func `a terminal shows one progress line, which is erased at the end`() {
    let text = written(onTerminal: true) { descriptor in
      let line = line(descriptor)
      line.show(2)
      line.clear()
      line.clear()
    }
    #expect(text == "\r\u{1B}[K2 of 8 files (25%)\r\u{1B}[K")
  }

  @Test func `the progress line is erased when its object is released`() {
    let text = written(onTerminal: true) { line($0).show("round 1") }
    #expect(text == "\r\u{1B}[Kround 1\r\u{1B}[K")
  }

  @Test func `an update of the progress line within the shortest interval is not shown`() {
    let text = written(onTerminal: true) { descriptor in
      let line = line(descriptor, interval: 600_000)
      for done in 1...8 { line.show(done) }
    }
    #expect(text == "\r\u{1B}[K1 of 8 files (12%)\r\u{1B}[K")
  }

  @Test func `no progress line is shown for short work, or without a terminal that can erase a line`() {
    #expect(written(onTerminal: true) { line($0, delay: 600_000).show(1) } == "")
    #expect(written(onTerminal: true) { line($0, kind: "dumb").show(1) } == "")
    #expect(written(onTerminal: true) { line($0, kind: "").show(1) } == "")
    #expect(written(onTerminal: false) { line($0).show(1) } == "")
  }

  @Test(arguments: [
    (0, 8, "0 of 8 files (0%)"), (7, 8, "7 of 8 files (87%)"), (8, 8, "8 of 8 files (100%)"),
    (9, 8, "9 of 8 files (100%)"), (3, nil, "3 files"), (3, 0, "3 files"),
    (Int.max, Int.max, "\(Int.max) of \(Int.max) files (100%)"),
  ])
  func `the progress line contains the number of finished items`(done: Int, total: Int?, expected: String) {
    #expect(ProgressLine.text(done, "files", of: total) == expected)
  }
}
