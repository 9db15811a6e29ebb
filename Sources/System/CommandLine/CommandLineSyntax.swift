/// The options of a program, from which both the parser of arguments and the help are made.
///
/// Arguments that are no options are operands. After `--`, all arguments are operands.
public struct CommandLineSyntax<Values>: Sendable {
  /// The program as it is started, e.g. `login-engine flow`.
  public let program: String
  private let groups: [@Sendable () -> [CommandLineOption<Values>]]

  public init(program: String, options: [CommandLineOption<Values>]) {
    self.init(program: program, groups: [{ options }])
  }

  /// Takes the options in groups. Each group is created only when it is needed: when an argument is
  /// not an option of the groups before it.
  public init(program: String, groups: [@Sendable () -> [CommandLineOption<Values>]]) {
    self.program = program
    self.groups = groups
  }

  /// Parses the arguments after the program's name.
  /// - Parameter values: changed by the options, in the order of the arguments.
  /// - Parameter hint: the message for an unknown option, if there is a better one than the
  ///   default.
  /// - Returns: the operands. If an option ends the parsing, only the operands before that option.
  public func read(
    _ arguments: [String], into values: inout Values, hint: (_ name: String) -> String? = { _ in nil }
  ) throws(UsageError) -> [String] {
    var operands: [String] = []
    var rest = arguments[...]
    while let word = rest.popFirst() {
      if word == "--" { return operands + rest }
      let (name, attached) = Self.parts(of: word)
      guard let option = option(name) else {
        guard !word.hasPrefix("-") else { throw UsageError(hint(name) ?? "unknown option \(name)") }
        operands.append(word)
        continue
      }
      var text = ""
      if option.placeholder == nil {
        guard attached == nil else { throw UsageError("\(name) takes no value") }
      } else {
        guard let value = attached ?? rest.popFirst(), !value.isEmpty else {
          throw UsageError("\(name) needs a value")
        }
        text = value
      }
      try option.store(text, &values)
      if option.endsReading { return operands }
    }
    return operands
  }

  func option(_ name: String) -> CommandLineOption<Values>? {
    for group in groups {
      if let option = group().first(where: { $0.names.contains(name) }) { return option }
    }
    return nil
  }

  /// Splits `--name=value`.
  private static func parts(of word: String) -> (name: String, value: String?) {
    guard word.hasPrefix("--"), let equals = word.firstIndex(of: "=") else { return (word, nil) }
    return (String(word[..<equals]), String(word[word.index(after: equals)...]))
  }

  /// The line that reports an error in a command line.
  public func message(_ error: UsageError) -> String { "\(program): \(error.text); see \(program) --help\n" }

  /// The help of the options, without the newline of the last line.
  /// - Parameter column: the column in which the help texts start. If the name of an option is too
  ///   long for that, its text starts on the next line.
  public func optionHelp(column: Int) -> String {
    let indent = String(repeating: " ", count: column)
    let lines = groups.flatMap { $0() }.flatMap { option -> [String] in
      guard let help = option.help else { return [] }
      let head = "  " + option.head
      guard !help.isEmpty else { return [head] }
      let texts = help.split(separator: "\n", omittingEmptySubsequences: false)
      guard head.count + 2 <= column else { return [head] + texts.map { indent + $0 } }
      return [head + indent.dropFirst(head.count) + texts[0]] + texts.dropFirst().map { indent + $0 }
    }
    return lines.joined(separator: "\n")
  }
}
