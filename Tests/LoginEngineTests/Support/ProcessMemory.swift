import Foundation
import TestSupport

/// A copy of all readable memory of another process, which is stopped meanwhile.
struct ProcessMemory {
  private struct Region {
    var name: String
    var start: UInt
    var bytes: [UInt8]
  }

  private var regions: [Region] = []

  init(of processID: pid_t) throws {
    precondition(processID != getpid(), "the scanner holds what it looks for")
    try ProcessMemory.stop(processID)
    defer { kill(processID, SIGCONT) }
    let maps = try systemFile("/proc/\(processID)/maps")
    let memory = open("/proc/\(processID)/mem", O_RDONLY | O_CLOEXEC)
    guard memory >= 0 else { throw Failure("memory of \(processID): \(String(cString: strerror(errno)))") }
    defer { close(memory) }
    for line in maps.split(separator: "\n") {
      let fields = line.split(separator: " ", omittingEmptySubsequences: true)
      // Unoptimised code leaves values in its stack frames, so only tests of a release build search
      // the stack.
      #if DEBUG
        if fields.last == "[stack]" { continue }
      #endif
      let ends = fields[0].split(separator: "-").compactMap { UInt($0, radix: 16) }
      guard ends.count == 2, fields[1].hasPrefix("r"), fields.last != "[vvar]", fields.last != "[vsyscall]" else {
        continue
      }
      var bytes = [UInt8](repeating: 0, count: Int(ends[1] - ends[0]))
      let count = bytes.withUnsafeMutableBytes { pread(memory, $0.baseAddress, $0.count, off_t(ends[0])) }
      // An unreadable writable region would be a gap in the search.
      guard count == bytes.count || !fields[1].hasPrefix("rw") else { throw Failure("unreadable: \(line)") }
      regions.append(Region(name: fields.count > 5 ? String(fields[5]) : "anonymous", start: ends[0], bytes: bytes))
    }
  }

  /// Stops all threads of a process, so that no memory is freed between listing and reading it.
  private static func stop(_ processID: pid_t) throws {
    guard kill(processID, SIGSTOP) == 0 else { throw Failure("no process \(processID)") }
    for _ in 0..<60_000 {
      let status = try String(contentsOfFile: "/proc/\(processID)/status", encoding: .utf8)
      if status.contains("State:\tT") { return }
      usleep(1000)
    }
    throw Failure("process \(processID) did not stop")
  }

  /// Where the bytes occur in memory: the regions and the surrounding text.
  func places(of needle: [UInt8]) -> [String] {
    var found: [String] = []
    for region in regions {
      region.bytes.withUnsafeBytes { bytes in
        var from = 0
        while let offset = bytes.offset(of: needle, from: from) {
          from = offset + 1
          let around = bytes[max(0, offset - 48)..<min(bytes.count, offset + needle.count + 48)]
          let text = String(decoding: around.map { (32...126).contains($0) ? $0 : UInt8(ascii: ".") }, as: UTF8.self)
          found.append("\(region.name) at \(String(region.start + UInt(offset), radix: 16)): \(text)")
        }
      }
    }
    return found
  }
}

/// All byte sequences that would reveal a password if they were found.
struct Needles {
  let spellings: [[UInt8]]

  /// Includes halves of the password, because a half must not remain either.
  init(_ password: String, escaped: String) {
    let plain = Array(password.utf8)
    var all = [plain, Array(plain.prefix(8)), Array(plain.suffix(8))]
    if plain.count > 40 { all.append(Array(plain[plain.count / 2..<plain.count / 2 + 16])) }
    let spelt = Array(escaped.utf8)
    all += [spelt, Array(spelt.prefix(24)), Array(spelt.suffix(24))]
    spellings = all
  }

  func places(in memory: ProcessMemory) -> [String] { spellings.flatMap { memory.places(of: $0) } }
  func isIn(_ bytes: Data) -> Bool {
    bytes.withUnsafeBytes { bytes in spellings.contains { bytes.offset(of: $0) != nil } }
  }
}
