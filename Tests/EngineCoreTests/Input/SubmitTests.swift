import EngineCore
import FlowFiles
import JSONCodec
import LoginMachine
import Testing

/// Several values and a press in one call.
@Suite("A submit")
struct SubmitTests {
  private static let signUp = #""values":{"email":"ada@example.com","userName":"ada","password":"123456789"}"#

  private func submit(_ params: String, id: Int? = 9) -> String {
    let id = id.map { #""id":\#($0),"# } ?? ""
    return #"{"jsonrpc":"2.0",\#(id)"method":"session/submit","params":{\#(params)}}"#
  }

  /// The lines of output that are no updates.
  private func replies(_ harness: Harness) -> [String] {
    harness.takeOutput().filter { !$0.contains(#""method":"session/update""#) }
  }

  private func begins(_ line: String?, _ outcome: String, session: String = "s1", revision: Int, events: Int) -> Bool {
    let result =
      #""session":"\#(session)","revision":\#(revision),"events":\#(events),"outcome":"\#(outcome)","snapshot":{"#
    return line?.hasPrefix(#"{"jsonrpc":"2.0","id":9,"result":{\#(result)"#) == true
  }

  @Test("a submit opens a session, enters all values, asks the authenticator, and is answered with the outcome")
  func opening() throws {
    let harness = try Harness()
    harness.view(submit(#""screen":"setup","# + Self.signUp))
    let sent = harness.takeSent()
    #expect(sent.count == 1 && sent[0].contains(#""password":"123456789"}"#))
    let updates = harness.takeOutput()
    #expect(updates.count == 2, "the blank form, and what one event has made of it")
    #expect(updates.last?.contains(#""revision":2,"events":1,"#) == true)
    #expect(updates.allSatisfy { !$0.contains("123456789") })
    harness.answer(Calls.accepted(1))
    let accepted = harness.takeOutput()
    #expect(accepted.count == 2 && accepted[0].contains(#""method":"session/update""#))
    #expect(begins(accepted.last, "accepted", revision: 3, events: 1))
    #expect(harness.core.tableCounts.submits == 0)
  }

  @Test(
    "if an initial request takes away the action to press, a submit is refused and the session that it opened is closed"
  )
  func outrun() throws {
    let text = """
      {"flow":"f","screens":[{"id":"a","title":"t","request":"login","begins":[{"request":"look","as":"cover"}],
      "sections":[],"actions":{"submit":{"id":"go","title":"t"},"cancel":{"id":"stop","title":"t"},"retry":{"id":"again","title":"t"}},
      "success":{"scene":"home"}}],"defaultLocale":"en","strings":{"en":{"t":"T"}}}
      """
    for id in [9, nil] {
      let harness = try Harness(flows: [FlowFile.read(Array(text.utf8), name: "f")])
      let open = #"{"jsonrpc":"2.0","id":1,"method":"session/open","params":{"flow":"f"}}"#
      harness.view(open)
      // From now on, the engine knows that no authenticator decides the request "look", so that it
      // fails at once.
      harness.answer(#"{"jsonrpc":"2.0","id":"describe","result":{"name":"one","requests":["login"]}}"#)
      _ = harness.takeOutput()
      harness.view(submit(#""flow":"f","values":{},"action":"stop""#, id: id))
      let replies = replies(harness)
      let closed = #"{"jsonrpc":"2.0","method":"session/closed","params":{"session":"s2","reason":"refused"}}"#
      #expect(replies.first == closed, "\(replies)")
      #expect(replies.dropFirst().map { $0.contains(#""code":"notAccepted""#) } == (id == nil ? [] : [true]))
      #expect(harness.core.sessionCount == 1)
    }
  }

  @Test("the update after a submit has the submitted values in its commands, since the view does not show them yet")
  func commands() throws {
    let harness = try Harness()
    harness.view(Calls.open())
    _ = harness.takeOutput()
    harness.view(submit(#""session":"s","# + Self.signUp))
    let update = try #require(harness.takeOutput().first)
    for part in [
      #"{"command":"setItem","item":"email","value":"ada@example.com""#,
      #"{"command":"setItem","item":"password","filled":true"#,
    ] { #expect(update.contains(part), "\(update)") }
  }

  @Test(
    "a submit with one refused value changes nothing",
    arguments: [
      (#"{"email":"new@example.com","password":5}"#, #""code":"invalidParams","param":"values.password""#),
      (#"{"email":"new@example.com","userName":null}"#, #""code":"invalidParams","param":"values.userName""#),
      (#"{"email":"new@example.com","nobody":""}"#, #""code":"unknownItem""#),
      (#"["email"]"#, #""code":"invalidParams","param":"values""#),
    ])
  func allOrNone(_ given: String, _ error: String) throws {
    let harness = try Harness()
    harness.view(Calls.open(), Calls.edit("password", "a long secret"), Calls.edit("email", "ada@example.com"))
    _ = harness.takeOutput()
    harness.view(submit(#""session":"s","values":\#(given)"#))
    let output = harness.takeOutput()
    #expect(output.count == 2 && output[1].contains(error), "\(output)")
    #expect(output[0].hasSuffix(#""commands":[]}}"#) && output[1].hasSuffix(#""events":3}}}"#), "\(output)")
    // Existing values stay, including the secret.
    harness.view(Calls.edit("userName", "ada"), Calls.press("submit"))
    let values = #""email":"ada@example.com","userName":"ada","password":"a long secret""#
    #expect(harness.takeSent().first?.contains(values) == true)
    // A submit that would open a session opens none.
    harness.view(submit(#""screen":"setup","values":\#(given)"#))
    #expect(harness.core.sessionCount == 1)
  }

  @Test("the error about a submitted value that is too long names the item, and does not repeat the value")
  func tooLong() throws {
    let harness = try Harness { $0.maximumValueBytes = 12 }
    harness.view(submit(#""values":{"email":"a@example.com!","password":"1"}"#))
    let output = harness.takeOutput()
    #expect(output.count == 1 && output[0].contains(#""limit":"maxValueBytes","maximum":12,"param":"values.email""#))
    #expect(harness.core.sessionCount == 0)
  }

  @Test("a submit with values that break rules enters them, asks no authenticator, and has the outcome invalid")
  func invalid() throws {
    let harness = try Harness()
    harness.view(submit(#""screen":"setup","values":{"email":"ada"}"#))
    let output = harness.takeOutput()
    #expect(output.count == 3 && begins(output.last, "invalid", revision: 2, events: 1))
    #expect(output[1].contains(#""value":"ada""#) && harness.takeSent().isEmpty)
  }

  @Test("a submit is answered when the user cancels the login, or the view closes the session")
  func endings() throws {
    for (line, outcome) in [
      (Calls.press("cancel", session: "s1", id: 3), "cancelled"),
      (submit(#""session":"s1","action":"cancel""#, id: 3), "cancelled"),
      (#"{"jsonrpc":"2.0","id":3,"method":"session/close","params":{"session":"s1"}}"#, "closed"),
      (#"{"jsonrpc":"2.0","id":3,"method":"session/close"}"#, "closed"),
      ("[\(Calls.press("cancel", session: "s1", id: 3))]", "cancelled"),
    ] {
      let harness = try Harness()
      harness.view(submit(#""screen":"setup","# + Self.signUp))
      _ = harness.takeOutput()
      harness.view(line)
      let replies = replies(harness)
      #expect(replies.count == 2, "\(replies)")
      let isCancelled = outcome == "cancelled"
      #expect(begins(replies.first, outcome, revision: isCancelled ? 3 : 2, events: isCancelled ? 2 : 1), "\(replies)")
      #expect(harness.core.tableCounts.submits == 0)
    }
  }

  @Test("a pending submit is answered when the drain timeout is over, and when the engine is stopped") func ends()
    throws
  {
    let harness = try Harness { $0.drainTimeout = 100 }
    harness.view(submit(#""screen":"setup","# + Self.signUp))
    _ = harness.takeOutput()
    harness.endInput()
    #expect(harness.takeOutput() == [])
    harness.wait(until: 100)
    #expect(begins(replies(harness).first, "failed", revision: 3, events: 1))
    let stopped = try Harness()
    stopped.view(submit(#""screen":"setup","# + Self.signUp))
    _ = stopped.takeOutput()
    stopped.core.stop(at: stopped.moment)
    stopped.settle()
    #expect(begins(replies(stopped).first, "cancelled", revision: 2, events: 1))
  }

  @Test("other lines are handled during a submit, but not in lockstep") func meanwhile() throws {
    for isLockstep in [false, true] {
      let harness = try Harness { $0.isLockstep = isLockstep }
      harness.view(submit(#""screen":"setup","# + Self.signUp), Calls.list())
      let before = replies(harness)
      #expect(before.count == (isLockstep ? 0 : 1))
      harness.answer(Calls.accepted(1))
      let after = replies(harness)
      #expect(begins(after.first, "accepted", revision: 3, events: 1))
      #expect(after.count == (isLockstep ? 2 : 1))
    }
  }

  @Test("a submit in a batch is refused, and counts as an event") func batch() throws {
    let harness = try Harness()
    harness.view(Calls.open())
    _ = harness.takeOutput()
    harness.view("[\(submit(#""session":"s","# + Self.signUp))]")
    let output = harness.takeOutput()
    let reason = #""reason":"session/submit in a batch","events":1}"#
    #expect(output.count == 2 && output[1].contains(reason), "\(output)")
  }

  @Test(
    "a submit to an open session has no params for opening one, and a submit that opens one has no revision",
    arguments: ["flow", "screen", "locale", "transitions", "policy", "detail"])
  func params(_ name: String) throws {
    let harness = try Harness()
    harness.view(Calls.open())
    _ = harness.takeOutput()
    harness.view(submit(#""session":"s","\#(name)":"setup""#))
    #expect(harness.takeOutput().last?.contains(#""code":"invalidParams","param":"\#(name)""#) == true)
    harness.view(submit(#""revision":1"#))
    #expect(harness.takeOutput().first?.contains(#""code":"invalidParams","param":"revision""#) == true)
  }

  @Test("a submit changes nothing if the action that it presses is not accepted") func notAccepted() throws {
    let harness = try Harness()
    harness.signUp()
    _ = harness.takeOutput()
    for params in [#""session":"s""#, #""session":"s","values":{"email":"x"}"#, #""session":"s","action":"retry""#] {
      harness.view(submit(params))
      let output = replies(harness)
      #expect(output.count == 1 && output[0].contains(#""code":"notAccepted","state":"requestPending""#), "\(output)")
    }
    harness.view(submit(#""session":"s","action":"nothing""#))
    #expect(replies(harness).first?.contains("unknownAction") == true)
    harness.answer(Calls.accepted(1))
    #expect(harness.takeOutput().count == 1)
  }

  @Test(
    "after a failure, a session/submit that names no action presses retry if it has no values, and submit otherwise")
  func retry() throws {
    let harness = try Harness()
    harness.signUp()
    harness.answer(#"{"jsonrpc":"2.0","id":1,"result":{"outcome":"rejected"}}"#)
    _ = harness.takeOutput()
    _ = harness.takeSent()
    harness.view(submit(#""session":"s","revision":6"#))
    #expect(harness.takeSent().first?.contains(#""retryOf":1"#) == true)
    harness.answer(#"{"jsonrpc":"2.0","id":2,"result":{"outcome":"throttled","retryAfterMs":10}}"#)
    #expect(begins(replies(harness).last, "throttled", session: "s", revision: 8, events: 5))
    harness.view(submit(#""session":"s","values":{"password":"987654321"},"revision":8"#))
    #expect(harness.takeSent().first?.contains(#""password":"987654321""#) == true)
    // The primary action became another one with the revision of the submit.
    harness.view(Calls.press("cancel", session: "s"))
    #expect(replies(harness).contains { begins($0, "cancelled", session: "s", revision: 10, events: 7) })
  }

  @Test(
    "a submit can press the retry action that the view shows, with or without values, after any kind of failure"
  )
  func retryWithValues() throws {
    let failures = [
      #""result":{"outcome":"rejected"}"#, #""result":{"outcome":"throttled","retryAfterMs":10}"#,
      #""result":{"outcome":"rejected","items":{"password":["No."]}}"#, #""error":{"code":1,"message":"Down"}"#,
    ]
    for failure in failures {
      for (values, repeats) in [
        (#""email":"ada@example.com""#, false), (#""password":"987654321""#, false), ("", true),
      ] {
        // Without values, a retry is not accepted until the throttle ends.
        if repeats, failure.contains("throttled") { continue }
        let harness = try Harness()
        harness.signUp()
        harness.answer(#"{"jsonrpc":"2.0","id":1,\#(failure)}"#)
        _ = harness.takeOutput()
        _ = harness.takeSent()
        harness.view(submit(#""session":"s","action":"retry","values":{\#(values)}"#))
        let sent = try #require(harness.takeSent().first, "\(failure) \(values): \(harness.takeOutput())")
        #expect(sent.contains(#""retryOf":1"#) == repeats, "\(sent)")
        harness.answer(Calls.accepted(2))
        #expect(replies(harness).last?.contains(#""outcome":"accepted""#) == true)
      }
    }
  }

  @Test(
    "a session/submit that presses retry is invalid if values break rules, and refused if there is nothing to retry")
  func wrongRetry() throws {
    let harness = try Harness()
    harness.signUp()
    harness.answer(#"{"jsonrpc":"2.0","id":1,"result":{"outcome":"rejected"}}"#)
    _ = harness.takeOutput()
    _ = harness.takeSent()
    harness.view(submit(#""session":"s","action":"retry","values":{"email":"ada"}"#))
    #expect(harness.takeSent().isEmpty)
    #expect(replies(harness).last?.contains(#""outcome":"invalid""#) == true)
    harness.view(submit(#""session":"s","action":"retry","values":{"email":"ada@example.com"}"#))
    #expect(harness.takeSent().isEmpty)
    #expect(replies(harness).last?.contains(#""code":"notAccepted","state":"unvalidated""#) == true)
  }

  @Test(
    "a session/submit that presses retry repeats the failed request, even a request of a link or of the screen itself")
  func otherRetries() throws {
    let flows = try ["mailed-code", "beside"].map { try SavedWalkTests.flow($0) }
    // The request of a link failed.
    var harness = try Harness(flows: flows)
    harness.view(
      #"{"jsonrpc":"2.0","method":"session/open","params":{"session":"s","flow":"\#(flows[0].id)","screen":"code"}}"#,
      Calls.press("resend"))
    let asked = try #require(harness.takeSent().last { $0.contains(#""request":"sendCode""#) })
    let id = try #require(try JSONValue(parsing: asked)["id"]?.integer)
    harness.answer(#"{"jsonrpc":"2.0","id":\#(id),"result":{"outcome":"rejected"}}"#)
    _ = harness.takeOutput()
    harness.view(submit(#""session":"s","action":"retry","values":{"code":"123456"}"#))
    #expect(harness.takeSent().last?.contains(#""request":"sendCode""#) == true, "\(harness.takeOutput())")

    // A background request failed after it was answered with a challenge.
    harness = try Harness(flows: flows)
    harness.view(
      #"{"jsonrpc":"2.0","method":"session/open","params":{"session":"s","flow":"beside","screen":"login"}}"#)
    let begun = try #require(harness.takeSent().first { $0.contains(#""request":"passkey""#) })
    let number = try #require(try JSONValue(parsing: begun)["id"]?.integer)
    harness.answer(
      #"{"jsonrpc":"2.0","id":\#(number),"result":{"outcome":"challenge","screen":{"id":"c","title":"C","sections":[]}}}"#
    )
    harness.view(Calls.press("submit"))
    let going = try #require(harness.takeSent().last { $0.contains("authenticator/continue") })
    let next = try #require(try JSONValue(parsing: going)["id"]?.integer)
    harness.answer(#"{"jsonrpc":"2.0","id":\#(next),"result":{"outcome":"rejected"}}"#)
    _ = harness.takeOutput()
    harness.view(submit(#""session":"s","action":"retry","values":{"email":"ada@example.com","password":"x"}"#))
    let again = try #require(harness.takeSent().last, "\(harness.takeOutput())")
    #expect(again.contains(#""request":"passkey""#) && again.contains(#""email":"ada@example.com""#))
    #expect(!again.contains("retryOf"))
  }

  @Test("a submit that is answered with a challenge has the outcome challenge, even if the user has nothing to enter")
  func challenge() throws {
    for wait in ["", #","wait":{"pollAfterMs":1000}"#] {
      let harness = try Harness()
      harness.view(submit(#""screen":"setup","# + Self.signUp))
      _ = harness.takeOutput()
      let screen = #"{"id":"c","title":"C","sections":[]}"#
      harness.answer(#"{"jsonrpc":"2.0","id":1,"result":{"outcome":"challenge","screen":\#(screen)\#(wait)}}"#)
      #expect(begins(replies(harness).last, "challenge", revision: 3, events: 1))
      harness.endInput()
      #expect(replies(harness) == [])
    }
  }

  @Test("a submit to a view that acknowledges updates is answered before the view has presented anything")
  func acknowledged()
    throws
  {
    let harness = try Harness()
    harness.view(submit(#""transitions":"acknowledged","policy":"reject","screen":"setup","# + Self.signUp))
    #expect(harness.takeOutput().count == 1, "the form, which the view has to present")
    harness.answer(Calls.accepted(1))
    #expect(begins(harness.takeOutput().first, "accepted", revision: 4, events: 1))
    harness.view(submit(#""session":"s1""#))
    #expect(harness.takeOutput().last?.contains(#""code":"presenting""#) == true)
  }

  @Test("a submit as a notification is not answered, and its refusal names the session") func notification() throws {
    let harness = try Harness()
    harness.view(submit(#""screen":"setup","# + Self.signUp, id: nil))
    harness.answer(Calls.accepted(1))
    #expect(replies(harness) == [] && harness.core.tableCounts.submits == 0)
    harness.view(submit(#""session":"s1""#, id: nil))
    let refusal = replies(harness).first
    let head = #""method":"session/refused","params":{"session":"s1","method":"session/submit""#
    #expect(refusal?.contains(head) == true)
    #expect(refusal?.hasSuffix(#""events":2}}}}"#) == true, "\(refusal ?? "")")
  }
}
