import LoginMachine
import Testing

@Suite("Messages and texts")
struct MessageTests {
  @Test(
    "placeholders that name a parameter are filled, and all other text is unchanged",
    arguments: [
      ("At least {length}.", "At least 9."), ("{length}", "9"), ("{length}{name}", "9Ada"),
      ("{name}, {name}", "Ada, Ada"),
      ("no braces", "no braces"), ("", ""), ("{}", "{}"), ("{other}", "{other}"), ("{length", "{length"),
      ("length}", "length}"), ("}{length}{", "}9{"), ("{ length }", "{ length }"), ("{Length}", "{Length}"),
      ("{{length}}", "{9}"), ("{a {length}", "{a 9"), ("{} {length}", "{} 9"), ("é{name}é", "éAdaé"),
    ])
  func filling(pattern: String, text: String) {
    let message = Message("code", [.init("length", .number("9")), .init("name", .text("Ada"))])
    #expect(StringTable(["code": pattern]).text(message) == text)
  }

  @Test("a placeholder inside the value of a parameter is not filled")
  func onlyOnce() {
    let message = Message("code", [.init("a", .text("{b}")), .init("b", .text("{a}"))])
    #expect(StringTable(["code": "{a}{b}"]).text(message) == "{b}{a}")
  }

  @Test("a message without parameters is shown unchanged")
  func noParameters() { #expect(StringTable(["code": "{length}"]).text(Message("code")) == "{length}") }

  @Test("a message is shown with the flow's text, else with its own text, else with the text of unknownError")
  func order() {
    let table = StringTable(["code": "ours", "unknownError": "Unbekannt"])
    #expect(table.text(Message("code", text: "theirs")) == "ours")
    #expect(table.text(Message("other", text: "theirs")) == "theirs")
    #expect(table.text(Message("other")) == "Unbekannt")
    #expect(StringTable([:]).text(Message("other")) == "Unknown error")
  }

  @Test("placeholders in a message's own text are not filled")
  func ownText() {
    let message = Message("other", [.init("length", .number("9"))], text: "{length}")
    #expect(StringTable([:]).text(message) == "{length}")
  }

  @Test("a key for which there is no text is shown unchanged")
  func key() {
    #expect(StringTable(["a": "A"]).text("a") == "A")
    #expect(StringTable(["a": "A"]).text("b") == "b")
  }
}
