import Glibc
import JSONCodec
import System

/// Measures the cost of one open form while nothing is typed.
struct IdleBenchmark {
  let programs: Programs

  func run() throws(Failure) -> [Figure] {
    let child = try programs.startEngine()
    let answer = OutputBuffer(capacity: 16_384)
    var line = ByteBuffer()
    Line.appendOpen(1, to: &line)
    try Pump.run(child, input: line, output: answer, until: .lines(1))
    let before = try Clock.processorTime(of: child.processID)
    usleep(300_000)
    let spent = try Clock.processorTime(of: child.processID) - before
    let peak = try ProcessFiles.peakBytes(of: child.processID)
    let now = try ProcessFiles.residentBytes(of: child.processID)
    try Programs.finish(child)
    return [
      Figure("idle.peak", "peak memory, 1 idle session", "KiB", [Double(peak) / 1_024]),
      Figure("idle.resident", "memory, 1 idle session", "KiB", [Double(now) / 1_024]),
      Figure("idle.processor", "engine's own time in 0.3 idle seconds", "us", [Double(spent) / 1_000]),
    ]
  }
}
