/// An option of a program: its names, its help, and its effect.
public struct CommandLineOption<Values>: Sendable {
  /// All names, such as `--help` and `-h`. The help shows only the first name.
  let names: [String]
  /// The name of the value in the help; `nil` for an option without a value.
  let placeholder: String?
  /// The text of the help, possibly in several lines; `nil` to leave the option out of the help.
  let help: String?
  /// Whether the arguments after the option are ignored, as after `--help`.
  let endsReading: Bool
  /// Stores the option in `Values`. `text` is the value of the option, or empty if the option has
  /// none.
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

  /// An option that asks for something other than the program's usual work, such as `--help`.
  /// Arguments after it are ignored.
  public static func request(
    _ names: [String], _ help: String?, store: @escaping @Sendable (inout Values) -> Void
  ) -> CommandLineOption {
    CommandLineOption(names: names, placeholder: nil, help: help, endsReading: true) { _, values in store(&values) }
  }
}

extension CommandLineOption {
  /// The start of the option's line in the help: its name and the name of its value.
  var head: String { ([names.first ?? ""] + (placeholder.map { [$0] } ?? [])).joined(separator: " ") }
}
