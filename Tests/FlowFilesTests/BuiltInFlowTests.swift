import FlowFiles
import Foundation
import LoginMachine
import TestSupport
import Testing

@Suite("The built-in flows")
struct BuiltInFlowTests {
  @Test("every built-in flow can be read by its name", arguments: BuiltInFlows.names)
  func allRead(name: String) throws {
    let flow = try #require(BuiltInFlows.flow(named: name))
    #expect(flow.id == name)
    #expect(flow.strings[flow.defaultLocale] != nil)
  }

  @Test("every built-in flow has a description of one sentence", arguments: BuiltInFlows.names)
  func described(name: String) throws {
    let description = try #require(BuiltInFlows.description(named: name))
    #expect(description.hasSuffix(".") && description.count <= 100)
    #expect(BuiltInFlows.description(named: "nonesuch") == nil)
  }

  @Test("the names of the built-in flows are distinct and not empty")
  func names() {
    #expect(!BuiltInFlows.names.isEmpty)
    #expect(Set(BuiltInFlows.names).count == BuiltInFlows.names.count)
    #expect(!BuiltInFlows.names.contains(""))
  }

  @Test("BuiltInFlows returns no flow and no definition for an unknown name", arguments: ["", "nonesuch", "Standard"])
  func unknown(name: String) {
    #expect(BuiltInFlows.flow(named: name) == nil)
    #expect(BuiltInFlows.text(named: name) == nil)
  }

  @Test("all files of protocol/flows are built in unchanged")
  func embedded() throws {
    let files = try FileManager.default.contentsOfDirectory(
      at: Checkout.root.appending(path: "protocol/flows"), includingPropertiesForKeys: nil)
    let texts = try Set(files.map { Array(try Data(contentsOf: $0)) })
    #expect(Set(BuiltInFlows.names.compactMap(BuiltInFlows.text(named:))) == texts)
  }

  @Test(
    "the text of a built-in definition can be read as a file and gives the same flow", arguments: BuiltInFlows.names)
  func textIsDefinition(name: String) throws {
    let flow = try #require(BuiltInFlows.flow(named: name))
    let again = try FlowFile.read(#require(BuiltInFlows.text(named: name)), name: "again.json")
    #expect(again.id == flow.id)
    #expect(again.screens.map(\.items) == flow.screens.map(\.items))
    #expect(again.strings.locales == flow.strings.locales)
    for locale in flow.strings.locales { #expect(again.strings[locale] == flow.strings[locale]) }
  }

  @Test("the default flow starts with a login, live validation and marking of touched items")
  func login() throws {
    let flow = try #require(BuiltInFlows.defaultFlow)
    #expect(flow.start == 0)
    #expect(flow.options == FlowOptions())
    #expect(flow === BuiltInFlows.defaultFlow)
    let screen = flow.screens[0]
    #expect(screen.request == "login")
    #expect(screen.items.map(\.apiKey) == ["email", "password", "remember"])
    #expect(screen.items.map(\.kind) == [.input(.email), .input(.password), .switch(initial: false)])
    #expect(
      screen.items.map(\.rules) == [
        [Rule(.required, message: "email.missing"), Rule(.email, message: "email.invalid")],
        [Rule(.required, message: "password.missing")], [],
      ])
    #expect(screen.primary.submit.title == "login.submit")
    #expect(screen.primary.cancel.title == "action.cancel")
    #expect(screen.primary.retry.title == "action.retry")
    #expect(screen.links.map(\.screen) == [1, 2])
    #expect(screen.links.map(\.action.title) == ["login.setup", "login.forgotPassword"])
    #expect(screen.success == .scene("home"))
  }

  @Test("the default flow has a sign-up screen with a password of at least 9 characters")
  func setup() throws {
    let screen = try #require(BuiltInFlows.defaultFlow).screens[1]
    #expect(screen.request == "setup")
    #expect(screen.items.map(\.apiKey) == ["email", "userName", "password"])
    #expect(screen.items[2].kind == .input(.newPassword))
    #expect(screen.items[2].rules.last?.requirement == .minLength(9))
    #expect(screen.links.map(\.screen) == [0])
  }

  @Test("the default flow resets a password with a code and a repeated password, then returns to the login")
  func reset() throws {
    let flow = try #require(BuiltInFlows.defaultFlow)
    #expect(flow.screens.map(\.request) == ["login", "setup", "forgotPassword", "resetPassword"])
    #expect(flow.screens[2].items.map(\.apiKey) == ["email"])
    #expect(flow.screens[2].success == .screen(3))
    #expect(flow.screens[2].links.map(\.screen) == [0])
    let screen = flow.screens[3]
    #expect(screen.success == .screen(0))
    #expect(screen.links.map(\.screen) == [0, 2])
    #expect(screen.items.map(\.apiKey) == ["email", "code", "password", nil])
    #expect(
      screen.items.map(\.kind) == [.input(.email), .input(.oneTimeCode), .input(.newPassword), .input(.newPassword)])
    #expect(screen.items[1].hints == .init(keyboard: .ascii, autofill: "one-time-code"))
    #expect(screen.items[2].rules.map(\.requirement) == [.required, .minLength(9)])
    #expect(screen.items[3].rules.map(\.requirement) == [.required, .equalTo(2)])
  }
}
