import Foundation
import JSONCodec
import System
import TestSupport
import Testing

/// Typed names are normalised through the whole engine, whatever the rules of the flow.
@Suite(.waits) struct ProcessTypedNameTests {
  private static let typed = [
    "user@b\u{FC}cher.example", "user@xn--bcher-kva.example", " user@b\u{FC}cher.example", "user@b\u{FC}cher.example\t",
    "user@bu\u{308}cher.example\n", "\u{FEFF}USER@B\u{DC}CHER.example\u{A0}", "us\u{AD}er@b\u{FC}cher\u{3002}example",
    "ｕｓｅｒ＠ｂüｃｈｅｒ．ｅｘａｍｐｌｅ",
  ]

  @Test("every spelling of an account's email address logs in and is shown as typed")
  func standard() throws {
    let directory = try Directory()
    let engine = try RunningEngine(in: directory)
    try engine.send(Line.setup("new", " user@b\u{FC}cher.example\n", "ada\u{200B}", "correct horse"))
    let welcome = try engine.update(of: "new", "requestSucceeded")
    #expect(welcome.snapshot?["scene"]?["principal"]?.string == "ada")
    #expect(welcome.snapshot?["scene"]?["data"]?["email"]?.string == "user@b\u{FC}cher.example")
    for (number, typed) in Self.typed.enumerated() {
      let session = "s\(number)"
      try engine.send([Line.open(session), Line.edit(session, "email", typed)])
      try engine.send([Line.edit(session, "password", "correct horse")])
      let filled = try engine.update(of: session, "validated")
      #expect(filled.item("email")?["value"]?.string?.utf8.elementsEqual(typed.utf8) == true)
      #expect(filled.item("email")?["messages"]?.array?.isEmpty == true)
      try engine.send([Line.press(session, "submit")])
      let scene = try engine.update(of: session, "requestSucceeded").snapshot?["scene"]
      #expect(scene?["principal"]?.string == "ada", "\(typed)")
    }
    #expect(try engine.finish().status == .exited(0))
  }

  @Test("a refusal by the accounts names the item as the flow does")
  func taken() throws {
    let engine = try RunningEngine()
    for (session, state) in [("first", "requestSucceeded"), ("second", "requestFailed")] {
      try engine.send(
        #"{"jsonrpc":"2.0","method":"session/open","params":{"session":"\#(session)","flow":"coordinators","screen":"setup"}}"#
      )
      for (item, value) in [("email", "ada@example.com"), ("userName", "ada"), ("password", "correct horse")] {
        try engine.send(Line.edit(session, item, value))
      }
      try engine.send(Line.press(session, "submit"))
      let update = try engine.update(of: session, state)
      // This flow shows rejections in an alert.
      let messages = update.snapshot?["alert"]?["messages"]?.array?.compactMap { $0["code"]?.string }
      #expect(messages == (state == "requestFailed" ? ["registrationRefused", "email.taken", "userName.taken"] : nil))
    }
    #expect(try engine.finish().status == .exited(0))
  }

  @Test(
    "every spelling of a user name logs in, in flows with and without the rule `email`, and with session/submit",
    arguments: [
      ("standard", "email"), ("coordinators", "userName"), ("immediate", "email"), ("acknowledged", "username"),
    ])
  func flows(flow: String, item: String) throws {
    let directory = try Directory()
    let setup = try RunningEngine(in: directory)
    try setup.send(Line.setup("new", "user@b\u{FC}cher.example", "ada.lovelace", "correct horse"))
    _ = try setup.update(of: "new", "requestSucceeded")
    #expect(try setup.finish().status == .exited(0))
    let names =
      item == "email"
      ? Self.typed
      : [
        " ada.lovelace", "ada.lovelace\r\n", "ADA.lovelace\u{2800}", "ada.\u{200B}lovelace", "ａｄａ．ｌｏｖｅｌａｃｅ",
        "\u{200F}ada.lovelace",
      ]
    let file = Checkout.root.appending(path: "protocol/flows/\(flow).json")
    let engine = try RunningEngine(["--flow", file.path], in: directory)
    for (number, name) in names.enumerated() {
      let values: [JSONValue.Member] = [.init(item, .string(name)), .init("password", .string("correct horse"))]
      let params: [JSONValue.Member] = [.init("screen", .string("login")), .init("values", .object(values))]
      let reply = try engine.ask(Line.call("session/submit", id: number, params)).last
      #expect(reply?["result"]?["outcome"]?.string == "accepted", "\(name.debugDescription)")
    }
    #expect(try engine.finish().status == .exited(0))
  }
}
