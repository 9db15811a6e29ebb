/// An option of a program: how it is given, what `--help` says of it, and what it changes.
public struct CommandLineOption<Values>: Sendable {
  /// All of its names, such as `--help` and `-h`. The first is the one that is documented.
  let names: [String]
  /// What the help calls its value; `nil` for an option without a value.
  let placeholder: String?
  /// What the help says of it, perhaps in several lines; `nil` if it is not listed.
  let help: String?
  /// Whether the arguments behind it are not read: what it asks for needs none.
  let endsReading: Bool
  /// Stores what the option says; the text is the value, or empty if there is none.
  let store: @Sendable (_ text: String, inout Values) throws(UsageError) -> Void

  /// An option with a value, given as `--name value` or `--name=value`.
  public static func value<Value>(
    _ name: String, _ placeholder: String, _ help: String?, _ reader: OptionReader<Value>,
    store: @escaping @Sendable (inout Values, Value) -> Void
  ) -> CommandLineOption {
    CommandLineOption(names: [name], placeholder: placeholder, help: help, endsReading: false) {
      text, values throws(UsageError) in
      store(&values, try reader.read(text, name))
    }
  }

  /// An option without a value.
  public static func flag(
    _ name: String, _ help: String?, store: @escaping @Sendable (inout Values) -> Void
  ) -> CommandLineOption {
    CommandLineOption(names: [name], placeholder: nil, help: help, endsReading: false) { _, values in store(&values) }
  }

  /// An option in place of all others, such as `--help`.
  public static func request(
    _ names: [String], _ help: String?, store: @escaping @Sendable (inout Values) -> Void
  ) -> CommandLineOption {
    CommandLineOption(names: names, placeholder: nil, help: help, endsReading: true) { _, values in store(&values) }
  }
}

extension CommandLineOption {
  /// What stands at the beginning of its line in the help.
  var head: String { ([names.first ?? ""] + (placeholder.map { [$0] } ?? [])).joined(separator: " ") }
}
