import Foundation
import JSONCodec
import TestSupport
import Testing

/// An entry of protocol/messages.json.
struct ListedMessage: Equatable {
  let code: String
  let from: [String]
  let params: [String]

  static func all() throws -> [ListedMessage] {
    let file = projectFolder.appending(path: "protocol/messages.json")
    let list = try JSONValue(parsing: Array(try Data(contentsOf: file)))
    return try #require(list["messages"]?.array).map { entry in
      #expect(entry["meaning"]?.string?.isEmpty == false)
      return ListedMessage(
        code: try #require(entry["code"]?.string), from: try strings(entry["from"]),
        params: try strings(entry["params"]))
    }
  }

  private static func strings(_ list: JSONValue?) throws -> [String] {
    try #require(list?.array).map { try #require($0.string) }
  }
}

let projectFolder = Checkout.root
