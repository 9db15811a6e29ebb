/// A command that is written as one text, as in the value of an option.
public enum CommandWords {
  /// Splits a command into words. Quotes and backslashes work as in a shell. No other character has
  /// a special meaning, and no shell is started. `nil` if a quote or backslash is left open.
  public static func split(_ text: String) -> [String]? {
    var words: [String] = []
    var word: String?
    var quote: Character?
    var isEscaped = false
    for character in text {
      if isEscaped {
        word = (word ?? "") + String(character)
        isEscaped = false
      } else if character == "\\", quote != "'" {
        isEscaped = true
      } else if let open = quote {
        if character == open { quote = nil } else { word = (word ?? "") + String(character) }
      } else if character == "'" || character == "\"" {
        quote = character
        word = word ?? ""
      } else if character == " " || character == "\t" || character == "\n" {
        if let complete = word { words.append(complete) }
        word = nil
      } else {
        word = (word ?? "") + String(character)
      }
    }
    guard quote == nil, !isEscaped else { return nil }
    if let complete = word { words.append(complete) }
    return words
  }

  /// Quotes and joins words so that `split`, or a shell, splits them again.
  public static func join(_ words: [String]) -> String {
    words.map { "'" + $0.split(separator: "'", omittingEmptySubsequences: false).joined(separator: #"'\''"#) + "'" }
      .joined(separator: " ")
  }
}
