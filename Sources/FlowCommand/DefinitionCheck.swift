import EventLoop
import FlowFiles
import LoginForms

/// Checks definition files one after another, also after a wrong one.
enum DefinitionCheck {
  /// Returns the exit status: 0 if all are right.
  static func run(_ files: [String]) -> Int32 {
    var status: Int32 = 0
    for file in files {
      do {
        let flow = try FlowFile.read(try WholeFile.read(file), name: file)
        let count = flow.screens.count
        let line = "\(file): ok (flow \(flow.id), \(count) \(count == 1 ? "screen" : "screens"))\n"
        guard Output.write(line) == 0 else { return 1 }
      } catch {
        Output.reportError("\(error)")
        status = 1
      }
    }
    return status
  }
}
