import Foundation
import JSONCodec
import System
import Testing

/// Tests with many concurrent logins.
@Suite struct CrowdTests {
  @Test("500 sessions can wait for one authenticator at the same time, and each gets its own answer")
  func crowd() throws { try Self.logIn(500) }

  /// Logs in `count` users, whom the authenticator answers only when all have asked. `count` is a
  /// multiple of ten.
  static func logIn(_ count: Int) throws {
    let directory = try Directory()
    // The authenticator answers only after the last question. If the engine held a question back,
    // no login would end.
    let body = """
      ids=
      for n in $(seq \(count)); do ask; ids="$ids $id"; done
      for id in $ids; do
        case $id in *7) answer '{"outcome":"rejected","reason":"invalidCredentials"}' ;; *) accept ;; esac
      done
      while ask; do accept; done
      """
    let engine = try RunningEngine(directory.authenticator(body), in: directory)
    for index in 0..<count {
      try engine.send(Line.login("s\(index)"))
      _ = try engine.update(of: "s\(index)", "requestPending")
    }
    var ends: [String: Int] = [:]
    var sessions = Set<String>()
    while sessions.count < count {
      let update = try engine.next()
      #expect(sessions.insert(update.session ?? "").inserted)
      #expect(update.revision == 5)
      ends["\(update.state ?? "") \(update.shownError ?? "")", default: 0] += 1
    }
    #expect(ends == ["requestSucceeded ": count - count / 10, "requestFailed invalidCredentials": count / 10])
    #expect(try engine.finish().messages.isEmpty)
  }
}
