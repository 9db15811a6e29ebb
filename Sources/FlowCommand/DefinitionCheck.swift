internal import EventLoop
internal import FlowFiles
internal import Glibc
internal import LoginForms

/// Checks definition files one after another, and goes on after a wrong one.
enum DefinitionCheck {
  /// Returns the exit status: 0 if all are right.
  static func run(_ files: [String]) -> Int32 {
    var status: Int32 = 0
    for file in files {
      do {
        let flow = try FlowFile.read(try contents(of: file), name: file)
        let count = flow.screens.count
        let line = "\(file): ok (flow \(flow.id), \(count) \(count == 1 ? "screen" : "screens"))\n"
        guard Output.write(line) == 0 else { return 1 }
      } catch {
        Output.complain("\(error)")
        status = 1
      }
    }
    return status
  }

  /// The bytes of a file.
  static func contents(of path: String) throws(SystemError) -> [UInt8] {
    let descriptor = Glibc.open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw SystemError(call: path, number: errno) }
    defer { Descriptor.close(descriptor) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 64 << 10)
    while true {
      let count = read(descriptor, &chunk, chunk.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw SystemError(call: path, number: errno) }
      if count == 0 { return bytes }
      bytes += chunk[..<count]
    }
  }
}
