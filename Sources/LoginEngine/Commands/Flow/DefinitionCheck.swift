import FlowFiles
import LoginMachine
import System

/// `login-engine flow check`: checks definition files in order, and continues after an invalid
/// file.
enum DefinitionCheck {
  /// Returns the exit status: 0 if all definitions are valid. Warnings go to standard error and do
  /// not change the status.
  static func run(_ files: [String]) -> Int32 {
    var status: Int32 = 0
    for file in files {
      do {
        let (flow, warnings) = try FlowFile.check(try WholeFile.read(file), name: file)
        for warning in warnings { Output.reportError("\(warning)") }
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
