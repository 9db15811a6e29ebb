import Foundation
import Glibc
import TestSupport

/// Runs commands in a terminal and reads what they draw.
enum Terminal {
  /// Runs commands in a terminal of 30 rows by 72 columns until the terminal shows the expected
  /// rows, if any. Keys are pressed once the text for them is drawn. At the end, Ctrl-C has to end
  /// the program successfully.
  static func run(_ commands: String, keys: [Setting.Press], in workshop: Workshop, until expected: [String]? = nil)
    throws
  {
    // Like posix_openpt, unlockpt and ptsname on Linux, which Swift does not import.
    let master = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
    var (isLocked, number): (Int32, UInt32) = (0, 0)
    guard master >= 0, ioctl(master, 0x4004_5431, &isLocked) == 0, ioctl(master, 0x8004_5430, &number) == 0 else {
      throw Deviation("there is no terminal: \(String(cString: strerror(errno)))")
    }
    defer { close(master) }
    var size = winsize(ws_row: 30, ws_col: 72, ws_xpixel: 0, ws_ypixel: 0)
    _ = ioctl(master, UInt(TIOCSWINSZ), &size)
    let terminal = open("/dev/pts/\(number)", O_RDWR | O_NOCTTY | O_CLOEXEC)
    let handle = FileHandle(fileDescriptor: terminal, closeOnDealloc: false)
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/timeout")
    process.arguments = ["-k", "2", "600", "bash", "-eo", "pipefail", "-c", commands]
    process.environment = workshop.environment
    process.currentDirectoryURL = URL(fileURLWithPath: workshop.folder.path)
    process.standardInput = handle
    process.standardOutput = handle
    process.standardError = handle
    try process.run()
    // This process closes the terminal, so that the output ends when the program ends.
    try handle.close()
    defer { if process.isRunning { process.terminate() } }

    var written: [UInt8] = []
    for press in keys {
      // Only rows that were drawn since the last press count.
      let start = written.count
      try Self.wait(&written, of: master) { Self.rows($0[start...]).contains { $0.contains(press.text) } }
      let bytes = Array(press.keys.utf8)
      _ = write(master, bytes, bytes.count)
    }
    if let expected { try Self.wait(&written, of: master) { Self.rows($0[...]) == expected } }
    _ = write(master, "\u{3}", 1)
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw Deviation("it ends with \(process.terminationStatus)") }
  }

  /// Reads the terminal until `isEnough` returns true for everything that was written.
  private static func wait(_ written: inout [UInt8], of master: Int32, until isEnough: ([UInt8]) -> Bool) throws {
    while !isEnough(written) {
      var piece = [UInt8](repeating: 0, count: 4096)
      let count = isReadable(master) ? read(master, &piece, piece.count) : 0
      guard count > 0 else {
        throw Deviation("it draws\n\(rows(written[...]).joined(separator: "\n"))")
      }
      written += piece[..<count]
    }
  }

  /// The rows that the terminal shows in the end. The program always redraws a row completely.
  private static func rows(_ written: ArraySlice<UInt8>) -> [String] {
    var rows: [Int: String] = [:]
    var row: Int?
    let bell: UInt8 = 0x07
    let text = String(decoding: written.filter { $0 != bell }, as: UTF8.self)
    for piece in text.components(separatedBy: "\u{1B}[").dropFirst() {
      guard let end = piece.firstIndex(where: \.isLetter) else { continue }
      let rest = String(piece[piece.index(after: end)...].prefix { $0 != "\u{1B}" })
      let numbers = piece[..<end].split(separator: ";").compactMap { Int($0) }
      switch piece[end] {
      case "H": row = numbers.last == 1 ? numbers.first : nil
      case "J": rows = [:]
      case "K": if let row { rows[row] = "" }
      default: break
      }
      if let row { rows[row, default: ""] += rest }
    }
    let last = rows.keys.max() ?? 0
    return (0..<last).map { (rows[$0 + 1] ?? "").trimmingSuffix(while: \.isWhitespace) }
  }
}

extension String {
  fileprivate func trimmingSuffix(while isDropped: (Character) -> Bool) -> String {
    var text = self
    while let last = text.last, isDropped(last) { text.removeLast() }
    return text
  }
}

extension Example {
  /// Checks that the terminal shows exactly what the document shows.
  func isDrawn(_ setting: Setting) throws {
    let workshop = try Workshop()
    try prepare(workshop, setting)
    let rows = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    try Terminal.run(setting.commands, keys: setting.keys ?? [], in: workshop, until: rows)
  }
}
