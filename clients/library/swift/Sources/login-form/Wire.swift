import Foundation
import LoginProtocol

/// A notification from the form about its only session. Params that are `nil`, because the method
/// does not have them, are left out.
struct Call: Encodable {
  let jsonrpc = "2.0"
  let method: String
  let params: Params

  struct Params: Encodable {
    let session = "app"
    var supports: [String]?
    var item: String?
    var value: Value?
    var action: String?
  }

  init(_ name: String, supports: [String]? = nil, item: String? = nil, value: Value? = nil, action: String? = nil) {
    method = "session/" + name
    params = Params(supports: supports, item: item, value: value, action: action)
  }
}

/// A line of the engine: an update of the session, or a question that has to be answered.
struct Written: Decodable {
  let id: String?
  let method: String?
  let params: Params?
  var isQuestion: Bool { id != nil && method?.hasPrefix("authenticator/") == true }

  struct Params: Decodable {
    let snapshot: Snapshot?
  }
}

/// The members of a snapshot that the app draws. protocol/updates.md describes all members.
struct Snapshot: Decodable {
  var state = "initial"
  var sections: [Section] = []
  var actions: [Action] = []
  var error: Message?
  var scene: Scene?

  struct Section: Decodable, Identifiable {
    let id: String
    let title: String?
    let items: [Item]
  }

  struct Item: Decodable, Identifiable {
    let id: String
    let kind: String
    let title: String?
    let inputType: String?
    let type: String?
    let request: Value?
    let value: Value?
    let messages: [Message]?
  }

  struct Action: Decodable, Identifiable {
    let id: String
    let title: String
    let enabled: Bool
  }

  struct Message: Decodable {
    let text: String
  }

  struct Scene: Decodable {
    let id: String
    let principal: String?
  }
}

/// A JSON value, such as that of an item.
enum Value: Codable, Equatable {
  case null
  case flag(Bool)
  case number(Double)
  case text(String)
  case array([Value])
  case object([String: Value])

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .null
    } else if let flag = try? container.decode(Bool.self) {
      self = .flag(flag)
    } else if let number = try? container.decode(Double.self) {
      self = .number(number)
    } else if let text = try? container.decode(String.self) {
      self = .text(text)
    } else if let array = try? container.decode([Value].self) {
      self = .array(array)
    } else {
      self = .object(try container.decode([String: Value].self))
    }
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .null: try container.encodeNil()
    case .flag(let flag): try container.encode(flag)
    case .number(let number): try container.encode(number)
    case .text(let text): try container.encode(text)
    case .array(let array): try container.encode(array)
    case .object(let members): try container.encode(members)
    }
  }

  /// The member of that name, if there is one.
  subscript(name: String) -> Value? { if case .object(let members) = self { members[name] } else { nil } }

  var text: String? { if case .text(let text) = self { text } else { nil } }
}

extension Moment {
  private static let start = ContinuousClock.now

  /// The current time, for the engine.
  static var now: Moment {
    let steady = (ContinuousClock.now - start) / .milliseconds(1)
    return Moment(steady: UInt64(max(0, steady)), utc: UInt64(max(0, Date().timeIntervalSince1970 * 1000)))
  }
}
