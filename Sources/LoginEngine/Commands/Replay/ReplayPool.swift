import SecretMemory
import System

/// Several replay processes that share many transcripts. Each process spends most of its time
/// waiting for its engine, so several finish sooner than one.
final class ReplayPool {
  /// The smallest number of transcripts for which a pool is used.
  static let fewest = 24
  /// The option that marks a process as a member of a pool.
  static let partOption = "--part"
  private static let size = 4

  /// The line that a process of the pool writes after each transcript.
  static let playedLine = "played"

  private var members: [Member] = []
  private let progress: ProgressLine
  private var played = 0
  private let loop: EventLoop

  private final class Member {
    let process: ChildProcess
    var lines = LineBuffer(maximumLineBytes: 64 << 20)
    var output: [String] = []
    var watch: EventLoop.Watch?

    init(_ process: ChildProcess) { self.process = process }
  }

  /// - Parameter arguments: the options for each member.
  init(_ arguments: [String], _ files: [String]) throws(SystemError) {
    loop = try EventLoop()
    progress = ProgressLine("transcripts", of: files.count)
    for number in 0..<Self.size {
      let share = files.indices.filter { $0 % Self.size == number }.map { files[$0] }
      let process = try ChildProcess(
        ["login-engine", "replay", Self.partOption] + arguments + ["--"] + share, executable: ExecutablePath.current())
      members.append(Member(process))
    }
  }

  /// Waits for all processes of the pool and prints their reports. Returns the exit status.
  func run() -> Int32 {
    var running = members.count
    for member in members {
      guard let output = member.process.output else { continue }
      member.watch = loop.watch(output, .read) { [unowned self] _ in
        guard !read(member, output) else { return }
        if let watch = member.watch { loop.unwatch(watch) }
        member.watch = nil
        running -= 1
        if running == 0 { loop.stop() }
      }
    }
    loop.run()
    progress.clear()
    var (passed, failed) = (0, 0)
    for member in members {
      let counts = member.output.last?.split(separator: " ").compactMap { Int($0) } ?? []
      guard counts.count == 2 else {
        for line in member.output { _ = Report.line(line) }
        return 2
      }
      passed += counts[0]
      failed += counts[1]
      for line in member.output.dropLast() { _ = Report.line(line) }
    }
    let isWritten = Report.line("\(passed) passed, \(failed) failed")
    return isWritten && failed == 0 ? 0 : 1
  }

  private func note(_ line: String, of member: Member) {
    guard line == Self.playedLine else { return member.output.append(line) }
    played += 1
    progress.show(played)
  }

  /// Reads the output of a process once. Returns whether there may be more.
  private func read(_ member: Member, _ output: Int32) -> Bool {
    let fill = member.lines.fill(from: output)
    while let line = member.lines.next() {
      switch line {
      case .whole(let bytes), .tooLong(let bytes), .unterminated(let bytes):
        note(String(decoding: bytes, as: UTF8.self), of: member)
      }
    }
    switch fill {
    case .bytes, .wouldBlock: return true
    case .endOfFile, .failed: return false
    }
  }
}
