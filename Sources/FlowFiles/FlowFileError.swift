/// Why a flow definition is not acceptable: where in which file, what stands there, and what should.
public struct FlowFileError: Error, Equatable, Sendable, CustomStringConvertible {
  /// Where in a file something is wrong.
  public enum Place: Equatable, Sendable {
    /// At a value: a JSON pointer (RFC 6901), empty for the whole definition.
    case pointer(String)
    /// At a byte, where the file is not even JSON. Both count from 1; columns are Unicode scalars.
    case line(Int, column: Int)
  }

  /// The file's name as it was given.
  public var file: String
  public var place: Place
  /// What stands there.
  public var found: String
  /// What should.
  public var expected: String

  public init(file: String, place: Place, found: String, expected: String) {
    self.file = file
    self.place = place
    self.found = found
    self.expected = expected
  }

  /// The JSON pointer to the wrong value; `nil` if the file is not JSON.
  public var pointer: String? {
    if case .pointer(let pointer) = place { pointer } else { nil }
  }

  /// One line for a person.
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
