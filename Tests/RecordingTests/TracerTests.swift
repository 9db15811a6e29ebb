import Foundation
import LoginMachine
import LoginProtocol
import Recording
import Testing

@Suite("The tracer")
struct TracerTests {
  @Test("all kinds of events are traced with their times")
  func kinds() throws {
    let run = try ObservedRun()
    run.call(
      "session/edit", #"{"session":"s","item":"password","value":"hunter2","revision":3}"#, id: "1")
    run.call("session/edit", #"{"session":"s","item":"email","value":"ada"}"#, .plainValue)
    run.call("session/chnage", "{}")
    run.view("1")
    run.output(#"{"jsonrpc":"2.0","id":1,"error":{"code":5,"message":"","data":{"code":"unknownItem"}}}"#)
    run.output(
      #"{"jsonrpc":"2.0","method":"session/update","params":{"session":"s","revision":2,"events":1,"commands":[{"command":"setItem","item":"email"},{"command":"setState"}]}}"#
    )
    run.wait(12)
    run.observe(.timer(.requestTimeout(3)))
    run.observe(.timer(.presentation(session: Array("s".utf8))))
    run.observe(.lateReply(3))
    run.ask(
      #"{"jsonrpc":"2.0","id":4,"method":"authenticator/submit","params":{"attempt":4,"retryOf":3,"request":"login","locale":"en","values":{"password":"hunter2"}}}"#,
      AskingSession(session: Array("s".utf8), screen: try loginScreen()))
    run.reply(#"{"jsonrpc":"2.0","id":4,"result":{"outcome":"throttled","retryAfterMs":500,"data":{"a":1}}}"#)
    run.reply(#"{"jsonrpc":"2.0","method":"authenticator/notify","params":{"attempt":4,"message":{"code":"wait"}}}"#)
    run.observe(.authenticator(.started, .other))
    run.observe(.authenticator(.inputFull, .other))
    run.observe(.authenticator(.inputClosed, .other))
    run.observe(.refusedBatch(entries: 0))
    run.observe(.inputEnded)
    run.observe(.drainTimeout(isDraining: true))
    run.observe(.stopped(Stop(keepsUnhandled: false, abandonedAdvance: nil)))
    try run.finish()
    let expected = [
      #""kind":"event","method":"session/edit","id":1,"session":"s","item":"password","value":"(withheld)","revision":3"#,
      #""kind":"event","method":"session/edit","session":"s","item":"email","value":"ada""#,
      #""kind":"event","method":null"#, #""kind":"event","method":null"#,
      #""kind":"effect","effect":"reply","id":1,"error":"unknownItem""#,
      #""kind":"effect","effect":"session/update","session":"s","revision":2,"events":1,"commands":["setItem","setState"]"#,
      #""kind":"timer","timer":"requestTimeout","attempt":3"#, #""kind":"timer","timer":"presentation","session":"s""#,
      #""kind":"late","attempt":3"#,
      #""kind":"effect","effect":"authenticator/submit","authenticator":"accounts","attempt":4,"retryOf":3,"request":"login","locale":"en","session":"s""#,
      #""kind":"answer","authenticator":"accounts","id":4,"outcome":"throttled","retryAfterMs":500"#,
      #""kind":"answer","authenticator":"accounts","method":"authenticator/notify","attempt":4"#,
      #""kind":"authenticator","authenticator":"other","is":"started""#,
      #""kind":"fault","authenticator":"other","fault":"closedInput""#, #""kind":"unreadable","entries":0"#,
      #""kind":"end""#, #""kind":"drainTimeout""#, #""kind":"stop""#, #""kind":"exit""#,
    ]
    let times = [0, 0, 0, 0, 0, 0] + Array(repeating: 12, count: expected.count - 6)
    #expect(try run.trace == zip(times, expected).map { #"{"time":\#($0),\#($1)}"# })
  }

  @Test("a session's state is traced when it changes, and the first trace of a session names no earlier state")
  func states() throws {
    let run = try ObservedRun()
    func state(_ session: String, _ revision: UInt64, _ phase: Phase.Name, alertSince: UInt64 = 0) {
      run.observe(
        .session(
          SessionState(
            slot: 0, session: Array(session.utf8), revision: revision, screen: "login", phase: phase,
            alertSince: alertSince)))
    }
    state("a", 1, .initial)
    state("a", 2, .initial)
    state("a", 3, .validated)
    state("a", 4, .validated, alertSince: 4)
    state("b", 1, .initial)
    try run.finish()
    func line(_ session: String, _ revision: Int, _ from: String, _ to: String, _ alert: Bool) -> String {
      #"{"time":0,"kind":"state","session":"\#(session)","revision":\#(revision),"from":\#(from),"to":"\#(to)","screen":"login","alert":\#(alert)}"#
    }
    #expect(
      try run.trace == [
        line("a", 1, "null", "initial", false), line("a", 3, #""initial""#, "validated", false),
        line("a", 4, #""validated""#, "validated", true), line("b", 1, "null", "initial", false),
        #"{"time":0,"kind":"exit"}"#,
      ])
  }

  @Test("a trace contains the names of errors for which a flow has a message")
  func errors() throws {
    let run = try ObservedRun { $0.knownDocuments = [Array(#"{"network.moonPhase":"The moon is wrong."}"#.utf8)] }
    for name in ["moonPhase", "accountsLocked", "unsupportedRequest", "sunPhase"] {
      run.reply(#"{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":"","data":{"code":"\#(name)"}}}"#)
    }
    let trace = try run.trace.map { $0.components(separatedBy: #","error":"#)[1] }
    #expect(trace == [#""moonPhase"}"#, #""accountsLocked"}"#, #""unsupportedRequest"}"#, #""(withheld)"}"#])
  }

  @Test("a trace withholds the values of unknown params, whatever their kind")
  func unknownParams() throws {
    let run = try ObservedRun()
    run.call("session/list", #"{"session":"abc","limit":5,"cursor":"a","revision":9,"value":1}"#)
    try run.finish()
    #expect(
      try run.trace[0]
        == #"{"time":0,"kind":"event","method":"session/list","session":"(withheld)","value":"(withheld)","revision":"(withheld)","cursor":"(withheld)","limit":5}"#
    )
  }
}
