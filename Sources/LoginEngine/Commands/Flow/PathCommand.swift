import Glibc
import LoginMachine
import System

/// `login-engine flow paths`: writes transcripts that together follow every arrow of a flow's
/// diagram.
enum PathCommand {
  /// The number of sessions in one transcript.
  private static let pathsPerFile = 20

  /// Writes the transcripts into a folder, which is created if it does not exist. Returns what went
  /// wrong; `nil` for success.
  ///
  /// - Parameters:
  ///   - explore: explores the flow. This takes a while, so it is called only after the folder
  ///     exists.
  ///   - file: the path of the flow definition; `nil` for a built-in flow.
  static func run(_ flow: Flow, explore: (Flow) -> Exploration, file: String?, to folder: String) -> String? {
    if mkdir(folder, 0o777) != 0, errno != EEXIST { return "\(SystemError(call: folder, number: errno))" }
    let exploration = explore(flow)
    let paths = exploration.paths
    let name = flow.id
    for (number, first) in stride(from: 0, to: paths.count, by: pathsPerFile).enumerated() {
      let part = paths[first..<min(first + pathsPerFile, paths.count)]
      let note =
        "Paths \(first + 1) to \(first + part.count) of \(paths.count) along the arrows of the diagram of \(name)."
      var player: PathPlayer
      do throws(PathPlayer.Problem) {
        player = try PathPlayer(exploration, file: file, note: note)
        for path in part { try player.play(path) }
      } catch {
        return error.text
      }
      let digits = "\(number + 1)"
      let padded = String(repeating: "0", count: max(0, 3 - digits.utf8.count)) + digits
      if let fault = write(player.transcript, to: "\(folder)/\(name)-\(padded).jsonl") { return fault }
    }
    return nil
  }

  private static func write(_ text: [UInt8], to path: String) -> String? {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o666)
    guard descriptor >= 0 else { return "\(SystemError(call: path, number: errno))" }
    let isWritten = BlockingOutput.write(text, to: descriptor)
    return close(descriptor) == 0 && isWritten ? nil : "\(path) could not be written"
  }
}
