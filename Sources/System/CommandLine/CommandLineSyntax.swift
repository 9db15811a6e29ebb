/// The options that a program takes. Both the reading of arguments and the program's help follow from them.
///
/// What is no option is an operand. Behind `--` everything is an operand.
public struct CommandLineSyntax<Values>: Sendable {
  /// The program as it is started, e.g. `login-engine flow`.
  public let program: String
  private let groups: [@Sendable () -> [CommandLineOption<Values>]]

  public init(program: String, options: [CommandLineOption<Values>]) {
    self.init(program: program, groups: [{ options }])
  }

  /// Options in groups, each of which is made only when an argument is none of the groups before it.
  public init(program: String, groups: [@Sendable () -> [CommandLineOption<Values>]]) {
    self.program = program
    self.groups = groups
  }

  /// Reads the arguments behind the program's name.
  /// - Parameter values: changed by the options, in the order in which they are given.
  /// - Parameter hint: what to say of an option that there is not, if more than that.
  /// - Returns: the operands; only those before an option that ends the reading, if there is one.
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

  /// Takes `--name=value` apart.
  private static func parts(of word: String) -> (name: String, value: String?) {
    guard word.hasPrefix("--"), let equals = word.firstIndex(of: "=") else { return (word, nil) }
    return (String(word[..<equals]), String(word[word.index(after: equals)...]))
  }

  /// The line that tells a person what is wrong with a command line.
  public func message(_ error: UsageError) -> String { "\(program): \(error.text); see \(program) --help\n" }

  /// The lines of the help about the options, without the end of the last one.
  /// - Parameter column: where the texts begin. A name that is too long for that has its text on the next line.
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
