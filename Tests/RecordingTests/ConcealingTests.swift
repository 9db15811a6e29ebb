import Foundation
import LoginMachine
import LoginProtocol
import Recording
import Testing

/// Secrets that a user typed, that were pasted into a wrong place, or that an authenticator
/// repeated.
@Suite("Secrets in recordings and traces")
struct ConcealingTests {
  private static let secret = "hunter2-hunter2"

  /// The files that a run has written: its recording and its trace.
  private func written(_ run: ObservedRun) throws -> String {
    try (run.finish() + run.header + run.trace).joined(separator: "\n")
  }

  @Test("a secret in any param of any method is concealed", arguments: Parameters.Name.allCases)
  func anyParam(name: Parameters.Name) throws {
    let run = try ObservedRun { $0.isClockManual = true }
    run.call("session/open", #"{"session":"other"}"#)
    let secrets = [Self.secret, "93", "it is a secret", "x-y-z", "ünïcode\\n"]
    for method in Method.allCases.map({ "\($0.name)" }) + ["session/chnage"] {
      for secret in secrets {
        // Neither the name of a new session nor a short name is concealed.
        if name == .session, method == "session/open" || secret == "93" { continue }
        // The logged-in user in `principal` is recorded unchanged.
        if name == .principal, method == "session/open" || method == "session/submit" { continue }
        for id in ["1", nil] {
          run.call(method, #"{"\#(name.text)":"\#(secret)"}"#, id: id)
          run.call(method, #"{"session":"other","x":1,"\#(name.text)x":"\#(secret)"}"#, id: id)
        }
      }
    }
    let lines = try run.finish() + run.trace
    for secret in secrets { #expect(!lines.contains { $0.contains(#""\#(secret)""#) }, "\(secret)") }
    #expect(lines.count > 300)
  }

  @Test("a conversation's resume text is concealed, with the same placeholder wherever it occurs")
  func resume() throws {
    let saved = #"{"version":1,"state":"requestPending","request":{"source":"submit","resume":"\#(Self.secret)"}}"#
    let answer =
      #"{"outcome":"challenge","resume":"\#(Self.secret)","screen":{"id":"more","title":"More","sections":[]}}"#
    let run = try ObservedRun()
    run.call("session/open", #"{"session":"s"}"#)
    run.ask(#"{"jsonrpc":"2.0","id":1,"method":"authenticator/submit","params":{"attempt":1,"values":{}}}"#)
    run.reply(#"{"jsonrpc":"2.0","id":1,"result":\#(answer)}"#)
    run.output(#"{"jsonrpc":"2.0","id":1,"result":{"saved":\#(saved)}}"#)
    run.call("session/open", #"{"session":"t","saved":\#(saved)}"#, .savedSession)
    run.ask(
      #"{"jsonrpc":"2.0","id":2,"method":"authenticator/submit","params":{"attempt":2,"resume":"\#(Self.secret)","values":{}}}"#
    )
    let text = try written(run)
    #expect(!text.contains(Self.secret))
    let placeholders = text.matches(of: /"resume":"([^"]*)"/).map { String($0.output.1) }
    #expect(placeholders.count == 4 && Set(placeholders).count == 1, "\(placeholders)")

    // An engine that restores the session gets the resume text from the view first.
    let other = try ObservedRun()
    other.call("session/open", #"{"session":"t","saved":\#(saved)}"#, .savedSession)
    other.ask(
      #"{"jsonrpc":"2.0","id":1,"method":"authenticator/submit","params":{"attempt":1,"resume":"\#(Self.secret)","values":{}}}"#
    )
    other.call("session/open", #"{"session":"u","saved":{"version":7,"request":{"resume":"\#(Self.secret)"}}}"#)
    #expect(try !written(other).contains(Self.secret))
  }

  @Test("a secret of any kind in an unknown param is concealed")
  func kinds() throws {
    for value in [#"{"a":"\#(Self.secret)"}"#, #"{"\#(Self.secret)":1}"#, #"["\#(Self.secret)"]"#, "493817"] {
      let run = try ObservedRun()
      for name in Parameters.Name.allCases { run.call("rpc.discover", #"{"\#(name.text)":\#(value)}"#) }
      run.call("session/chnage", value)
      let text = try written(run)
      #expect(!text.contains(Self.secret) && !text.contains("493817"), "\(text)")
    }
  }

  @Test("concealing a boolean that may be secret does not make its line longer", arguments: [true, false])
  func booleans(value: Bool) throws {
    let run = try ObservedRun()
    let params = #"{"session":"nobody","item":"remember","value":\#(value)}"#
    run.call("session/edit", params)
    let line = try #require(try run.finish().last)
    #expect(line.contains(#""value":true"#), "\(line)")
  }

  @Test("a secret among the values of a submit is concealed") func submitted() throws {
    for known in [KnownValues.items(of: try loginScreen()), .none] {
      let run = try ObservedRun()
      let secrets = #""password":"\#(Self.secret)","\#(Self.secret)":"\#(Self.secret)""#
      run.call("session/submit", #"{"values":{"email":"ada@example.com",\#(secrets)}}"#, id: "1", known)
      let wrong = #"{"session":"s","values":"\#(Self.secret)","flow":"\#(Self.secret)"}"#
      run.call("session/submit", wrong, id: "2", known)
      let text = try written(run)
      #expect(!text.contains(Self.secret), "\(text)")
      var isPlainKnown = false
      if case .items = known { isPlainKnown = true }
      #expect(text.contains("ada@example.com") == isPlainKnown)
      #expect(text.contains("session/submit"))
    }
  }

  @Test(
    "a secret is concealed if sent as a method, as the name of a param or item, or in a result that answers no question"
  )
  func otherPlaces() throws {
    let run = try ObservedRun()
    run.call(Self.secret, "{}")
    run.call("session/list", #"{"\#(Self.secret)":1}"#)
    run.call(
      "session/open", #"{"values":{"\#(Self.secret)":"\#(Self.secret)","email":1}}"#, .items(of: try loginScreen()))
    run.view(#"{"jsonrpc":"2.0","id":1,"\#(Self.secret)":"\#(Self.secret)","method":"session/list"}"#)
    run.view(#"{"jsonrpc":"2.0","id":"a","result":{"outcome":"\#(Self.secret)"}}"#)
    run.view(#"{"id":1,"method":"\#(Self.secret)"}"#)
    run.view(#""\#(Self.secret)""#)
    run.view(#"["\#(Self.secret)"]"#)
    let text = try written(run)
    #expect(!text.contains("hunter2"), "\(text)")
  }

  @Test("a secret that a view sends as the name of an unknown param is replaced by another name of the same length")
  func unknownParams() throws {
    let run = try ObservedRun()
    run.call("session/list", #"{"hunter2-hunter2":"hunter2","limit":1,"hunter3":{}}"#)
    run.call("session/list", #"{"hun":"hunter2"}"#)
    let steps = try run.finish()
    #expect(steps[0].contains(#""params":{"xxxxxxxxxxxxxxx":0,"limit":1,"xxxxxxx":0}"#), "\(steps[0])")
    #expect(steps[1].contains(#""params":{"xxx":0}"#))
  }

  @Test("a typed secret that is repeated as an id or as the name of a new session is concealed")
  func repeatedNames() throws {
    let run = try ObservedRun()
    run.type(Self.secret)
    run.call("session/list", "{}", id: #""\#(Self.secret)""#)
    run.output(#"{"jsonrpc":"2.0","id":"\#(Self.secret)","result":{}}"#)
    run.call("session/open", #"{"session":"\#(Self.secret)"}"#)
    run.output(#"{"jsonrpc":"2.0","method":"session/update","params":{"session":"\#(Self.secret)","revision":1}}"#)
    run.observe(.timer(.idle(session: Array(Self.secret.utf8))))
    run.observe(
      .session(
        SessionState(
          slot: 0, session: Array(Self.secret.utf8), revision: 1, screen: "login", phase: .initial,
          alertSince: 0)))
    let steps = try run.finish()
    #expect(try !(steps + run.trace).joined().contains("hunter2"))
    // The ids and names must be the same as in the recorded replies.
    #expect(steps[1].contains(#""id":"secret1xxxxxxxx""#) && steps[2].contains(#""id":"secret1xxxxxxxx""#))
    #expect(steps[3].contains(#""session":"secret1xxxxxxxx""#))
    #expect(steps[4].contains(#""session":"secret1xxxxxxxx""#))
  }

  @Test("a secret that is used as a session's name is concealed, even in a refused notification that repeats it")
  func unknownSession() throws {
    let run = try ObservedRun()
    run.call("session/close", #"{"session":"\#(Self.secret)"}"#)
    run.output(#"{"jsonrpc":"2.0","method":"session/refused","params":{"session":"\#(Self.secret)","events":0}}"#)
    run.call("session/list", #"{"session":"\#(Self.secret)"}"#)
    run.output(#"{"jsonrpc":"2.0","method":"session/refused","params":{"session":"\#(Self.secret)","events":0}}"#)
    let steps = try run.finish()
    #expect(try !(steps + run.trace).joined().contains("hunter2"))
    for step in steps { #expect(step.contains(#""session":"xxxxxxxxxxxxxxx""#)) }
  }

  @Test("a secret in any string of an authenticator's answer is concealed, whether or not it was typed before")
  func authenticatorsWords() throws {
    for secret in [Self.secret, "hunter2", "abc"] {
      for typed in [true, false] {
        let run = try ObservedRun()
        if typed { run.type(secret) }
        run.reply(#"{"jsonrpc":"2.0","id":1,"result":{"outcome":"\#(secret)","reason":"\#(secret)"}}"#)
        run.reply(#"{"jsonrpc":"2.0","id":1,"result":{"outcome":"rejected","message":{"code":"\#(secret)"}}}"#)
        run.reply(#"{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":"no","data":{"code":"\#(secret)"}}}"#)
        run.reply(#"{"jsonrpc":"2.0","id":"\#(secret)","method":"\#(secret)"}"#)
        try run.finish()
        let trace = try run.trace.joined(separator: "\n")
        #expect(!trace.contains(secret), "\(trace)")
        #expect(trace.contains(#""outcome":"rejected","message":"(withheld)""#))
        // Recordings recognise secrets of four bytes and more.
        if typed, secret != "abc" { #expect(try !run.recording.joined().contains(secret)) }
      }
    }
  }

  @Test("a secret that an authenticator's answer passes on to the next question is concealed in answer and question")
  func previousStep() throws {
    let run = try ObservedRun()
    run.type(Self.secret)
    let said = #""principal":"\#(Self.secret)","data":{"token":"<\#(Self.secret)>"}"#
    run.reply(#"{"jsonrpc":"2.0","id":1,"result":{"outcome":"accepted",\#(said)}}"#)
    run.ask(
      #"{"jsonrpc":"2.0","id":2,"method":"authenticator/submit","params":{"attempt":2,"request":"login","values":{},"locale":"en","previous":{"attempt":1,\#(said)}}}"#
        + "\n")
    try run.finish()
    let recording = try run.recording.joined(separator: "\n")
    #expect(try !(recording + run.trace.joined()).contains(Self.secret), "\(recording)")
    let data = recording.matches(of: /"data":\{[^}]*\}/).map { String($0.output) }
    #expect(data.count == 2 && data[0] == data[1], "a replay's question says what the answer said: \(data)")
  }

  @Test("the secrets of a session/open call are concealed, and its other params are kept")
  func opening() throws {
    let run = try ObservedRun()
    run.call(
      "session/open", #"{"session":"s","context":{"address":"203.0.113.7"},"secrets":{"device":"\#(Self.secret)"}}"#,
      id: "1")
    run.ask(
      #"{"jsonrpc":"2.0","id":2,"method":"authenticator/submit","params":{"attempt":2,"request":"login","values":{},"context":{"address":"203.0.113.7"},"secrets":{"device":"\#(Self.secret)"}}}"#
        + "\n")
    let text = try written(run)
    #expect(!text.contains("hunter2"), "\(text)")
    let recording = try run.recording.joined()
    #expect(recording.components(separatedBy: #""context":{"address":"203.0.113.7"}"#).count == 3)
    #expect(recording.components(separatedBy: #""secrets":{"device":"secret1xxxxxxxx"}"#).count == 3, "\(recording)")
  }

  @Test("a secret that an authenticator grants is concealed, and the rest of the answer is recorded byte for byte")
  func granted() throws {
    let run = try ObservedRun()
    run.reply(
      #"{"jsonrpc":"2.0","id":1,"result":{"outcome":"accepted","data":{"a": 1.50},"secret":{"t": "\#(Self.secret)"}}}"#)
    run.output(
      #"{"jsonrpc":"2.0","method":"session/granted","params":{"session":"s","secret":{"t": "\#(Self.secret)"}}}"#)
    // Once a secret has been granted, it is recognised in later messages too.
    run.reply(#"{"jsonrpc":"2.0","id":3,"result":{"outcome":"accepted","principal":"by \#(Self.secret)"}}"#)
    let long = String(repeating: Self.secret, count: 2000)
    run.reply(#"{"jsonrpc":"2.0","id":2,"result":{"outcome":"accepted","secret":"\#(long)"}}"#)
    let text = try written(run)
    #expect(!text.contains("hunter2"), "\(text.prefix(2000))")
    #expect(text.contains(#"\"data\":{\"a\": 1.50},\"secret\":\"x\"}"#), "\(text.prefix(2000))")
    #expect(text.contains(#""method":"session/granted","params":{"session":"s","secret":"x"}"#))
    #expect(text.contains(String(repeating: "x", count: 16_384)), "what could not be granted cannot be in a replay")
    #expect(text.contains(#""kind":"effect","effect":"session/granted","session":"s"}"#))
  }

  @Test(
    "a secret that an authenticator shows as a code is concealed there and wherever it occurs later",
    arguments: [false, true])
  func codes(frontendDecides: Bool) throws {
    let run = try ObservedRun { $0.frontendDecides = frontendDecides }
    let key = "otpauth://totp/ada?secret=\(Self.secret)"
    let items = #"[{"id":"key","kind":"code","format":"qr","title":"\#(key)","text":"\#(key)"}]"#
    let screen = #"{"id":"c","title":"C","sections":[{"id":"s","items":\#(items)}]}"#
    let result = #""result":{"outcome":"challenge","screen":\#(screen)}}"#
    if frontendDecides {
      run.view(#"{"jsonrpc":"2.0","id":"authenticator-1",\#(result)"#)
    } else {
      run.reply(#"{"jsonrpc":"2.0","id":1,\#(result)"#)
    }
    run.output(
      #"{"jsonrpc":"2.0","method":"session/update","params":{"snapshot":{"sections":[{"items":\#(items)}]}}}"#)
    // An answer with a code that is too long to show is invalid, and must be invalid in a replay
    // too.
    let long = String(repeating: Self.secret, count: 200)
    run.reply(#"{"jsonrpc":"2.0","id":2,"result":{"outcome":"challenge","screen":{"kind":"code","text":"\#(long)"}}}"#)
    let text = try written(run)
    #expect(!text.contains("hunter2"), "\(text.prefix(2000))")
    #expect(text.contains(#""format":"qr","title":"secret1xxx"#), "the engine says the same: \(text.prefix(3000))")
    #expect(text.contains(String(repeating: "x", count: 2049)), "what could not be shown cannot be in a replay")
  }

  @Test("a secret that an authenticator repeats when it checks a value is concealed", arguments: [true, false])
  func checked(isFrontend: Bool) throws {
    let run = try ObservedRun { $0.frontendDecides = isFrontend }
    let asking = AskingSession(session: Array("s".utf8), screen: try loginScreen())
    run.type(Self.secret)
    let id = isFrontend ? #""authenticator-1""# : "1"
    let question =
      #"{"jsonrpc":"2.0","id":\#(id),"method":"authenticator/check","params":{"attempt":1,"item":"password","values":{"password":"\#(Self.secret)"}}}"#
    let answer = #"{"jsonrpc":"2.0","id":\#(id),"result":{"outcome":"invalid","message":"\#(Self.secret) is known."}}"#
    if isFrontend {
      run.output(question, asking: asking)
      run.view(answer)
    } else {
      run.ask(question, asking)
      run.reply(answer)
    }
    let text = try written(run)
    #expect(!text.contains("hunter2"), "\(text)")
    #expect(text.contains(#""item":"password","values":{"password":"secret1xxxxxxxx"}"#))
    #expect(text.contains(#""outcome":"invalid""#) && text.contains("authenticator/check"))
  }

  @Test("a secret that the frontend grants in its own answer is concealed")
  func grantedByFrontend() throws {
    let run = try ObservedRun { $0.frontendDecides = true }
    run.view(#"{"jsonrpc":"2.0","id":"authenticator-1","result":{"outcome":"accepted","secret":["\#(Self.secret)"]}}"#)
    run.output(#"{"jsonrpc":"2.0","method":"session/granted","params":{"session":"s","secret":["\#(Self.secret)"]}}"#)
    let text = try written(run)
    #expect(!text.contains("hunter2") && text.contains(#""secret":"x""#), "\(text)")
  }

  /// The values of external items in a view, with the parts to conceal, and the placeholder.
  static let externals: [(value: String, hidden: [String], placeholder: String)] = [
    (
      #"{"id":"credential-7","at":[52.125,13.5],"response":{"signature":"hunter2-hunter2"}}"#,
      ["credential-7", "52.125", "hunter2"], #"{"external":1}"#
    ),
    (#"["hunter2-hunter2",52.125]"#, ["hunter2", "52.125"], "[1]"), ("52.125", ["52.125"], "1"),
    (#""hunter2-hunter2""#, ["hunter2"], #""secret1xxxxxxxx""#),
  ]

  @Test("the value of an external item is concealed in every message that contains it", arguments: externals.indices)
  func external(index: Int) throws {
    let (value, hidden, placeholder) = Self.externals[index]
    let run = try ObservedRun { $0.knownDocuments = [Array(#""passkey""#.utf8)] }
    let screen = try passkeyScreen()
    run.call("session/edit", #"{"session":"s","item":"passkey","value":\#(value)}"#, .externalValue)
    let item =
      #"{"id":"passkey","kind":"external","type":"t","title":null,"text":null,"request":null,"value":\#(value)}"#
    run.output(
      #"{"jsonrpc":"2.0","method":"session/update","params":{"session":"s","snapshot":{"sections":[{"items":[\#(item)]}]},"commands":[{"command":"setItem","item":"passkey","value":\#(value)}]}}"#
    )
    run.call(
      "session/submit", #"{"session":"s","values":{"email":"ada@example.com","passkey":\#(value)}}"#, id: "1",
      .items(of: screen))
    run.ask(
      #"{"jsonrpc":"2.0","id":1,"method":"authenticator/submit","params":{"attempt":1,"values":{"email":"ada@example.com","assertion":\#(value)}}}"#
        + "\n", AskingSession(session: [0x73], screen: screen))
    let steps = try run.finish()
    let text = try (steps + run.trace).joined(separator: "\n")
    for secret in hidden { #expect(!text.contains(secret), "\(text)") }
    #expect(text.contains(#""item":"passkey","value":"(withheld)""#), "\(text)")
    #expect(steps.joined().components(separatedBy: #":\#(placeholder)}"#).count == 6, "\(steps)")
    #expect(steps.joined().components(separatedBy: "ada@example.com").count == 3)
  }

  @Test("the value of an external item is concealed when an authenticator repeats all or part of it")
  func repeatedExternal() throws {
    let run = try ObservedRun()
    let value = Self.externals[0].value
    run.call("session/edit", #"{"session":"s","item":"passkey","value":\#(value)}"#, .externalValue)
    let said = #""principal":"credential-7","data":{"used":[\#(value)],"why":"hunter2-hunter2 fits"}"#
    run.reply(#"{"jsonrpc":"2.0","id":1,"result":{"outcome":"accepted",\#(said)}}"#)
    run.output(
      #"{"jsonrpc":"2.0","method":"session/update","params":{"session":"s","snapshot":{"scene":{"id":"home",\#(said)}}}}"#
    )
    run.ask(
      #"{"jsonrpc":"2.0","id":2,"method":"authenticator/submit","params":{"attempt":2,"values":{},"previous":{"attempt":1,\#(said)}}}"#
        + "\n")
    // An error also has `data`, and the codes in it have a meaning and are kept.
    run.call("session/edit", #"{"session":"s","item":"passkey","value":{"code":"busy"}}"#, .externalValue)
    run.reply(#"{"jsonrpc":"2.0","id":2,"error":{"code":1,"message":"no","data":{"code":"busy"}}}"#)
    let steps = try run.finish()
    for secret in Self.externals[0].hidden { #expect(!steps.joined().contains(secret), "\(steps)") }
    #expect(steps.joined().components(separatedBy: #"":[{"external":1}],""#).count == 4, "\(steps)")
    #expect(steps.last?.contains(#""data":{"code":"#) == true)
  }

  @Test("an external item's value is concealed even when the view sends it for an item that is not external")
  func alternative() throws {
    for value in [Self.externals[0].value, Self.externals[1].value, "52.125"] {
      let run = try ObservedRun()
      run.call("session/edit", #"{"session":"s","item":"email","value":\#(value)}"#, .plainValue)
      run.call(
        "session/open", #"{"session":"s","values":{"email":\#(value)}}"#, id: "1", .items(of: try passkeyScreen()))
      let text = try written(run)
      for secret in Self.externals[0].hidden { #expect(!text.contains(secret), "\(text)") }
    }
  }

  @Test("a secret that the frontend repeats in its own answer is concealed")
  func frontend() throws {
    let run = try ObservedRun { $0.frontendDecides = true }
    let asking = AskingSession(session: Array("s".utf8), screen: try loginScreen())
    run.type(Self.secret)
    run.output(
      #"{"jsonrpc":"2.0","id":"authenticator-1","method":"authenticator/submit","params":{"attempt":1,"values":{"email":"ada@example.com","password":"\#(Self.secret)"}}}"#,
      asking: asking)
    run.view(#"{"jsonrpc":"2.0","id":"authenticator-1","result":{"outcome":"rejected","reason":"\#(Self.secret)"}}"#)
    let text = try written(run)
    #expect(!text.contains("hunter2"), "\(text)")
    #expect(text.contains(#""values":{"email":"ada@example.com","password":"secret1xxxxxxxx"}"#))
    #expect(
      text.contains(#""kind":"answer","authenticator":"frontend","id":"authenticator-1","outcome":"rejected""#))
  }
}

@Suite("Values that recordings do not conceal")
struct KeptValuesTests {
  @Test("a recording keeps the names of flows, screens, items, actions and sessions")
  func names() throws {
    let run = try ObservedRun()
    let lines = [
      ("session/open", #"{"session":"main-window","flow":"standard","screen":"setup","locale":"fr-CA"}"#),
      ("session/open", #"{"session":"a","transitions":"acknowledged","policy":"latest","locale":"de"}"#),
      ("session/press", #"{"session":"main-window","action":"submit","revision":7}"#),
      ("session/list", #"{"cursor":3,"limit":5}"#),
      ("session/close", #"{"session":"gone"}"#.replacing("gone", with: "a")),
    ]
    for (method, params) in lines { run.call(method, params, id: #""n1""#) }
    #expect(
      try run.finish()
        == lines.map { #"{"in":{"jsonrpc":"2.0","id":"n1","method":"\#($0)","params":\#($1)}}"# })
  }

  @Test(
    "a recording keeps the names of flow files, and a name from a challenge has the same substitute everywhere"
  )
  func namesOfTheRun() throws {
    let run = try ObservedRun { $0.knownDocuments = [Array(#"{"items":[{"id":"shoeSize"}]}"#.utf8)] }
    run.reply(
      #"{"jsonrpc":"2.0","id":1,"result":{"outcome":"challenge","screen":{"id":"tan","sections":[{"id":"a","items":[{"id":"tanInput"}]}]}}}"#
    )
    for item in ["shoeSize", "tanInput", "tan"] { run.call("session/edit", #"{"session":"s","item":"\#(item)"}"#) }
    let steps = try run.finish()
    for (step, item) in zip(steps.dropFirst(), ["shoeSize", "secret1x", "tan"]) {
      #expect(step.contains(#""\#(item)""#), "\(step)")
    }
    #expect(steps[0].contains(#""id":"secret1x""#), "\(steps[0])")
  }

  @Test("a recording keeps the session name in a refused notification only if a session with this name exists")
  func refusedSession() throws {
    let run = try ObservedRun()
    // There is no session with this name yet: it is created below.
    run.call("session/close", #"{"session":"s100"}"#)
    run.output(#"{"jsonrpc":"2.0","method":"session/refused","params":{"session":"s100","events":0}}"#)
    run.output(#"{"jsonrpc":"2.0","method":"session/update","params":{"session":"s100","revision":1}}"#)
    run.call("session/edit", #"{"session":"s100"}"#)
    run.output(#"{"jsonrpc":"2.0","method":"session/refused","params":{"session":"s100","events":1}}"#)
    let steps = try run.finish()
    #expect(steps.map { $0.contains(#""session":"xxxx""#) } == [true, true, false, false, false])
    #expect(steps.map { $0.contains(#""session":"s100""#) } == [false, false, true, true, true])
  }

  @Test("a recording keeps a session's name even if it equals the alias of another name")
  func session() throws {
    let run = try ObservedRun()
    run.call("session/close", #"{"session":"gone"}"#)
    run.call("session/open", #"{"session":"xxxx"}"#)
    run.call("session/close", #"{"session":"xxxx"}"#)
    run.call("session/close", #"{"session":"gone"}"#)
    let steps = try run.finish()
    #expect(steps.map { $0.contains(#""session":"xxxx""#) } == [true, true, true, false])
  }

  @Test("a recording keeps the values of plain items, including the initial values of a session")
  func values() throws {
    let run = try ObservedRun()
    let screen = try loginScreen()
    run.call("session/edit", #"{"session":"s","item":"email","value":"ada@example.com"}"#, .plainValue)
    run.call("session/open", #"{"values":{"email":"ada@example.com","password":"hunter2"}}"#, .items(of: screen))
    let asking = AskingSession(session: [0x73], screen: screen)
    run.ask(
      #"{"jsonrpc":"2.0","id":1,"method":"authenticator/submit","params":{"attempt":1,"values":{"email":"ada@example.com","password":"hunter2"}}}"#
        + "\n", asking)
    let steps = try run.finish()
    #expect(steps[0].contains(#""value":"ada@example.com""#))
    #expect(steps[1].contains(#""values":{"email":"ada@example.com","password":""}"#))
    #expect(steps[2].contains(#""values":{"email":"ada@example.com","password":"aaaaaaa"}"#), "\(steps[2])")
  }

  @Test("the placeholders of external items' values are missing, equal or invalid if and only if the values are")
  func externals() throws {
    let long = #""\#(String(repeating: "y", count: 16_383))""#
    let deep = String(repeating: "[", count: 33) + String(repeating: "]", count: 33)
    let values = [
      "null", "true", "[]", "{}", #"{"a":1}"#, #"{"a":2}"#, #"{ "a": 1 }"#, #"{"a":1.0}"#, "[2]", "2", #""abc""#, long,
      deep,
    ]
    let run = try ObservedRun()
    for value in values {
      run.call("session/edit", #"{"session":"s","item":"passkey","value":\#(value)}"#, .externalValue)
    }
    let recorded = try run.finish().map {
      String($0.components(separatedBy: #""value":"#)[1].dropLast(3))
    }
    #expect(
      recorded.prefix(11) == [
        "null", "true", "[]", "{}", #"{"external":1}"#, #"{"external":2}"#, #"{"external":1}"#, #"{"external":3}"#,
        "[4]", "5",
        #""abc""#,
      ])
    #expect(recorded[11].utf8.count == 16_386 && !recorded[11].contains("y") && recorded[12] == deep)
  }

  @Test(
    "a recording keeps only the part of a locale that may be a locale of a flow",
    arguments: [
      ("de-CH-1996", "de"), ("DE-hunter2", "DE"), ("pt-BR", "pt-BR"), ("zh-Hant-TW", "zh-Hant-TW"),
      ("hunter2", "xxxxxxx"),
      ("fr-hunter2", "fr"), ("xx-hunter2", "xxxxxxxxxx"), ("", ""),
    ])
  func locales(locale: String, recorded: String) throws {
    let run = try ObservedRun()
    run.call("session/open", #"{"locale":"\#(locale)"}"#)
    #expect(try run.finish()[0].contains(#"{"locale":"\#(recorded)"}"#), "\(locale)")
  }

  @Test("in recordings, equal unknown names get equal aliases, and the recording of a replay has the same aliases")
  func again() throws {
    let names = ["hunter2", "hunter3", "hunter2", "abc", "abd", "password1", "hunter3"]
    func record(_ names: [String]) throws -> [String] {
      let run = try ObservedRun()
      for name in names { run.call("session/press", #"{"session":"s","action":"\#(name)"}"#) }
      return try run.finish().map { $0.components(separatedBy: "\"action\":\"")[1].components(separatedBy: "\"")[0] }
    }
    let recorded = try record(names)
    #expect(recorded == ["xxxxxxx", "xxxxxxa", "xxxxxxx", "xxx", "xxa", "xxxxxxxxx", "xxxxxxa"])
    #expect(try record(recorded) == recorded)
  }
}
