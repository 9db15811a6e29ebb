import JSONCodec
import Testing

/// An edit of a JSON value: the new value at a JSON pointer, or `nil` to remove it.
struct Edit: Sendable {
  var pointer: String
  var json: String?

  init(_ pointer: String, _ json: String?) {
    self.pointer = pointer
    self.json = json
  }
}

extension JSONValue {
  /// This value with one edit applied. The edit can add a missing member, or an element after the
  /// last.
  func edited(_ edit: Edit) throws -> JSONValue {
    let tokens = edit.pointer.split(separator: "/").map {
      String($0).replacing("~1", with: "/").replacing("~0", with: "~")
    }
    let value = try edit.json.map { try JSONValue(parsing: $0) }
    return try #require(try replacing(tokens[...], with: value))
  }

  private func replacing(_ path: ArraySlice<String>, with value: JSONValue?) throws -> JSONValue? {
    guard let token = path.first else { return value }
    switch self {
    case .object(var members):
      let index = members.firstIndex { $0.key.utf8.elementsEqual(token.utf8) }
      let old = index.map { members[$0].value } ?? .null
      let new = try old.replacing(path.dropFirst(), with: value)
      switch (index, new) {
      case (let index?, let new?): members[index].value = new
      case (let index?, nil): members.remove(at: index)
      case (nil, let new?): members.append(.init(token, new))
      case (nil, nil): throw JSONEditError(pointer: token)
      }
      return .object(members)
    case .array(var elements):
      guard let index = Int(token), index <= elements.count else { throw JSONEditError(pointer: token) }
      let old = index < elements.count ? elements[index] : .null
      let new = try old.replacing(path.dropFirst(), with: value)
      elements.replaceSubrange(index..<min(index + 1, elements.count), with: new.map { [$0] } ?? [])
      return .array(elements)
    case .null, .bool, .number, .string: throw JSONEditError(pointer: token)
    }
  }
}

/// The error of an edit whose pointer leads nowhere.
struct JSONEditError: Error {
  var pointer: String
}
