import System
import Testing

@Suite("A command in one text")
struct CommandWordsTests {
  @Test(
    "a command is split as a shell splits it",
    arguments: [
      ("", []), ("  ", []), ("a", ["a"]), (" a\tb\n", ["a", "b"]), ("'a b' c", ["a b", "c"]), ("''", [""]),
      (#"a\ b"#, ["a b"]), (#""a'b""#, ["a'b"]), (#"'a\b'"#, [#"a\b"#]), (#""a\"b""#, [#"a"b"#]), ("a'b'c", ["abc"]),
      ("$HOME *", ["$HOME", "*"]),
    ] as [(String, [String])])
  func split(text: String, words: [String]) { #expect(CommandWords.split(text) == words) }

  @Test("a text with an unclosed quote or a final backslash is no command", arguments: ["'a", #"a "b"#, #"a\"#])
  func open(text: String) { #expect(CommandWords.split(text) == nil) }

  @Test(
    "words that are joined into a command are split into the same words again",
    arguments: [[], [""], ["a", "b c"], ["it's", #"\"#, "\n", "\"x\"", "$y"]])
  func join(words: [String]) { #expect(CommandWords.split(CommandWords.join(words)) == words) }
}
