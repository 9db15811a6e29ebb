import Glibc

/// Prints the seed of the current world if the core traps, before the trap ends the process.
enum TrapReport {
  /// The seed of the world that is being simulated.
  nonisolated(unsafe) static var seed: UInt64 = 0

  static func install() {
    for number in [SIGILL, SIGTRAP, SIGSEGV, SIGBUS, SIGABRT] {
      signal(number) { _ in
        // A signal handler must not allocate.
        var digits: (UInt64, UInt64, UInt64) = (0, 0, 0)
        withUnsafeMutableBytes(of: &digits) { bytes in
          var number = TrapReport.seed
          var index = bytes.count
          repeat {
            index -= 1
            bytes[index] = UInt8(truncatingIfNeeded: 0x30 + number % 10)
            number /= 10
          } while number > 0
          let text: StaticString = "FAILED law total: the core traps with seed "
          _ = write(1, text.utf8Start, text.utf8CodeUnitCount)
          _ = write(1, bytes.baseAddress.map { $0 + index }, bytes.count - index)
          let last: StaticString = "\n0 passed, 1 failed\n"
          _ = write(1, last.utf8Start, last.utf8CodeUnitCount)
        }
        _exit(1)
      }
    }
  }
}
