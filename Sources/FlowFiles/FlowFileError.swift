/// An error in a flow definition: its file and position, what was found, and what was expected.
public struct FlowFileError: Error, Equatable, Sendable, CustomStringConvertible {
  /// A position in a file.
  public enum Place: Equatable, Sendable {
    /// A value in the file, given by its JSON pointer (RFC 6901). The empty pointer is the whole
    /// definition.
    case pointer(String)
    /// A position in a file that is not JSON. Line and column count from 1; columns count Unicode
    /// scalars.
    case line(Int, column: Int)
  }

  /// The file name as given by the caller.
  public var file: String
  public var place: Place
  /// What was found instead of a valid value.
  public var found: String
  /// What would have been valid.
  public var expected: String

  public init(file: String, place: Place, found: String, expected: String) {
    self.file = file
    self.place = place
    self.found = found
    self.expected = expected
  }

  /// The JSON pointer to the invalid value; `nil` if the file is not JSON.
  public var pointer: String? {
    if case .pointer(let pointer) = place { pointer } else { nil }
  }

  /// The error in one line.
  public var description: String {
    let position =
      switch place {
      case .pointer(""): "at the top"
      case .pointer(let pointer): "at \(pointer)"
      case .line(let line, let column): "line \(line), column \(column)"
      }
    return "\(file): \(position): found \(found), expected \(expected)"
  }
}
