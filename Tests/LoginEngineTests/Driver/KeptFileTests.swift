import Foundation
import System
import TestSupport
import Testing

@Suite("Files of authenticators", .waits)
struct KeptFileTests {
  @Test(
    "a recording or trace stops if its file belongs to an authenticator",
    arguments: ["--record", "--trace"])
  func kept(option: String) throws {
    let directory = try Directory()
    let file = try directory.write("much", to: "kept")
    let body = """
      read -r line
      echo '{"jsonrpc":"2.0","id":"describe","result":{"files":[{"path":"\(file)","use":"database"}]}}'
      while ask; do accept; done
      """
    let engine = try RunningEngine([option, file, "--overwrite"] + directory.authenticator(body), in: directory)
    try engine.send(Line.login("a"))
    _ = try engine.update(of: "a", "requestSucceeded")
    #expect(try engine.finish().status == .exited(1))
    #expect(engine.log.contains("\(file) cannot be written: it is a file of the authenticator authenticator-"))
    #expect(engine.log.contains(", its database"))
  }
}
