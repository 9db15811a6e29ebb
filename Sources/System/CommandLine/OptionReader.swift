/// A parser for the value of an option. Values are never empty.
public struct OptionReader<Value>: Sendable {
  /// Parses a value. The option's name, with its hyphens, is for error messages.
  public let read: @Sendable (_ text: String, _ option: String) throws(UsageError) -> Value

  public init(_ read: @escaping @Sendable (_ text: String, _ option: String) throws(UsageError) -> Value) {
    self.read = read
  }
}

extension OptionReader where Value == String {
  /// A parser that accepts any text.
  public static var text: OptionReader { OptionReader { text, _ throws(UsageError) in text } }
}

extension OptionReader where Value: FixedWidthInteger & Sendable {
  /// A parser for a decimal whole number in the range.
  public static func number(in range: ClosedRange<Value>) -> OptionReader {
    OptionReader { text, option throws(UsageError) in
      guard let number = Value(text), range.contains(number) else {
        throw UsageError("\(option) takes a whole number from \(range.lowerBound) to \(range.upperBound)")
      }
      return number
    }
  }
}

extension OptionReader where Value == UInt64 {
  /// A parser for a number of seconds, rounded to three decimals, that returns milliseconds.
  /// - Parameter range: the accepted values in milliseconds; at most 2^53.
  public static func seconds(inMilliseconds range: ClosedRange<UInt64>) -> OptionReader {
    OptionReader { text, option throws(UsageError) in
      // NaN is in no range.
      let milliseconds = ((Double(text) ?? .nan) * 1_000).rounded()
      guard milliseconds.sign == .plus, milliseconds >= Double(range.lowerBound),
        milliseconds <= Double(range.upperBound)
      else {
        let (least, most) = (
          Seconds.text(ofMilliseconds: range.lowerBound), Seconds.text(ofMilliseconds: range.upperBound)
        )
        throw UsageError("\(option) takes seconds from \(least) to \(most)")
      }
      return UInt64(milliseconds)
    }
  }
}

extension OptionReader where Value: Sendable {
  /// A parser for one of several words, which returns the meaning of the word.
  public static func choice(of choices: [(word: String, meaning: Value)]) -> OptionReader {
    OptionReader { text, option throws(UsageError) in
      guard let chosen = choices.first(where: { $0.word == text }) else {
        throw UsageError("\(option) takes \(list(choices.map(\.word)))")
      }
      return chosen.meaning
    }
  }

  private static func list(_ words: [String]) -> String {
    let last = words.suffix(2).joined(separator: " or ")
    return (words.dropLast(2) + [last]).joined(separator: ", ")
  }
}

extension OptionReader where Value == [String] {
  /// A parser for a command to start, which returns the words of the command.
  public static var command: OptionReader {
    OptionReader { text, option throws(UsageError) in
      guard let words = CommandWords.split(text) else {
        throw UsageError("\(option) has a quote or backslash that is left open")
      }
      guard let program = words.first, !program.isEmpty else { throw UsageError("\(option) needs a command") }
      return words
    }
  }
}
