import JSONCodec
import LoginProtocol
import TestSupport
import Testing

/// How error replies are written.
struct RPCErrorTests {
  /// Every error, with its number, its name, and the further members of its data in the protocol.
  static let errors: [(RPCError, Int, String, [String])] = [
    (.parseError(JSONError(.badNumber, at: 3)), -32700, "parseError", ["reason", "offset"]),
    (.lineTooLong(maximum: 10), -32700, "parseError", ["reason", "offset"]),
    (.invalidRequest("method is a \"string\""), -32600, "invalidRequest", ["reason"]),
    (.methodNotFound, -32601, "methodNotFound", []),
    (.invalidParams(.item, "Give \"item\"."), -32602, "invalidParams", ["param"]),
    (.invalidParams(nil, "Give them."), -32602, "invalidParams", []),
    (.unknownSession, 1, "unknownSession", []), (.sessionExists, 2, "sessionExists", []),
    (
      .notAccepted(state: "initial", isUnderAlert: false, items: ["a\"b"], actions: []), 3, "notAccepted",
      ["state", "accepted"]
    ),
    (.staleRevision, 4, "staleRevision", []),
    (.unknownItem("c", ["a", "b"]), 5, "unknownItem", ["name", "items"]),
    (.unknownItem(nil, ["a", "b"]), 5, "unknownItem", ["items"]),
    (.unknownAction("go", []), 6, "unknownAction", ["name", "actions"]),
    (.unknownFlow("g", ["f"]), 7, "unknownFlow", ["name", "flows"]),
    (.unknownScreen("t", ["s"]), 8, "unknownScreen", ["name", "screens"]),
    (.notEditable(["a"]), 11, "notEditable", ["items"]),
    (.limitExceeded("maxSessions", maximum: 5, "Too many."), 10, "limitExceeded", ["limit", "maximum"]),
  ]

  @Test("each error has its number, name and data", arguments: errors)
  func written(_ error: RPCError, _ number: Int, _ name: String, _ data: [String]) throws {
    for id in ["7", "\"\\u00e9\"", "null", "-1.50e2", ""] {
      let line = bytes { buffer in Array(id.utf8).withUnsafeBytes { buffer.appendErrorReply(error, id: $0) } }
      #expect(!line.contains(0x0A))
      let reply = try JSONValue(parsing: line)
      #expect(reply.members?.map(\.key) == ["jsonrpc", "id", "error"])
      #expect(reply["jsonrpc"]?.string == "2.0")
      #expect(String(decoding: line, as: UTF8.self).contains("\"id\":\(id.isEmpty ? "null" : id),"))
      #expect(reply["error"]?["code"]?.integer == number)
      #expect(reply["error"]?["message"]?.string?.isEmpty == false)
      #expect(reply["error"]?["data"]?["code"]?.string == name)
      #expect(reply["error"]?["data"]?.members?.map(\.key) == ["code"] + data)
    }
  }

  @Test("an error about an unknown name repeats the name if it is a valid name", arguments: ["mail", "no name", ""])
  func unknownNames(_ name: String) throws {
    let error = withDocument("{\"\(name)\":1}") { document, _ -> RPCError? in
      guard let root = document.root, let key = document.firstChild(root) else { return nil }
      return .unknownItem(RPCError.name(document, key), ["email"])
    }
    let message = try #require(error).message
    #expect(
      message == "The current screen shows no item \(name == "mail" ? "\"mail\"" : "of that name"); see data.items.")
  }

  @Test("an error for an event that is refused because of an alert states that an alert is shown") func alert() {
    let error = RPCError.notAccepted(state: "requestFailed", isUnderAlert: true, items: [], actions: ["dismiss"])
    #expect(error.message.hasPrefix("An alert is open"))
  }

  @Test("the start of a reply has the id of the request unchanged") func head() throws {
    let line = bytes { buffer in
      Array("1.50".utf8).withUnsafeBytes { buffer.appendReplyHead(id: $0) }
      buffer.append("{}}")
    }
    #expect(String(decoding: line, as: UTF8.self) == #"{"jsonrpc":"2.0","id":1.50,"result":{}}"#)
  }

  @Test("errors about invalid lines or params never repeat a value", arguments: seeds)
  func neverEchoes(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    let secret = "kEy7"
    var errors = 0
    let rounds = Workload.amount(5_000)
    for _ in 0..<rounds {
      var line = Array(
        #"{"jsonrpc":"2.0","method":"session/edit","params":{"session":"\#(secret)","item":"\#(secret)","value":"\#(secret)","revision":"\#(secret)","more":1}}"#
          .utf8)
      if random.chance(2) {
        line[Int.random(in: 0..<line.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
      }
      withDocument(line) { document, failure in
        var said: [RPCError] = []
        if let failure { said.append(.parseError(failure)) }
        let params = document.root.flatMap { document.member("params", of: $0) }
        let parameters = Parameters(document, params)
        for method in Method.allCases {
          do throws(RPCError) { try parameters.check(for: method, document) } catch { said.append(error) }
        }
        for name in Parameters.Name.allCases {
          do throws(RPCError) { _ = try parameters.optionalNumber(name, document) } catch { said.append(error) }
          do throws(RPCError) { _ = try parameters.requiredString(name, document) } catch { said.append(error) }
        }
        if let root = document.root, case .invalid(_, let reason) = IncomingMessage(document, root) {
          said.append(.invalidRequest("\(reason)"))
        }
        for error in said { #expect(!contains(bytes { $0.appendError(error) }, "kEy7")) }
        errors += said.count
      }
    }
    #expect(errors > rounds)
  }
}
