import Glibc
import System

/// Reads figures of processes and of the system from `/proc`.
enum ProcessFiles {
  /// The resident memory of a process, in bytes. It is exact if this user may read the process's
  /// smaps_rollup.
  static func residentBytes(of process: Int32) throws(Failure) -> Int {
    if let exact = kilobytes("Rss:", in: "/proc/\(process)/smaps_rollup") { return exact * 1_024 }
    guard let rough = kilobytes("VmRSS:", in: "/proc/\(process)/status") else {
      throw Failure("the memory of process \(process) cannot be read")
    }
    return rough * 1_024
  }

  /// The peak resident memory of a process, in bytes.
  static func peakBytes(of process: Int32) throws(Failure) -> Int {
    guard let peak = kilobytes("VmHWM:", in: "/proc/\(process)/status") else {
      throw Failure("the peak memory of process \(process) cannot be read")
    }
    return peak * 1_024
  }

  /// The average number of runnable processes in the last minute, for the report: other running
  /// programs make the figures less exact.
  static func load() -> String {
    read("/proc/loadavg").split(separator: " ").first.map { String($0) } ?? "unknown"
  }

  private static func kilobytes(_ name: String, in path: String) -> Int? {
    for line in read(path).split(separator: "\n") where line.hasPrefix(name) {
      return line.split(separator: " ").dropFirst().first.flatMap { Int($0) }
    }
    return nil
  }

  private static func read(_ path: String) -> String {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return "" }
    defer { Descriptor.close(file) }
    var text: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 4_096)
    while case let count = Glibc.read(file, &chunk, chunk.count), count > 0 { text += chunk[..<count] }
    return String(decoding: text, as: UTF8.self)
  }
}
