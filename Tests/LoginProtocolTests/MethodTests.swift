import JSONCodec
import LoginProtocol
import Testing

/// The protocol's methods and their params.
struct MethodTests {
  private func method(_ name: String) -> Method? {
    withDocument(name) { document, _ in document.root.flatMap { Method(document, $0) } }
  }

  @Test("each method is found by its name, escaped or not", arguments: Method.allCases) func names(_ expected: Method) {
    #expect(method("\"\(expected.name)\"") == expected)
    #expect(method("\"" + "\(expected.name)".replacing("/", with: "\\/") + "\"") == expected)
    #expect(method("\"\(expected.name) \"") == nil && method("\"\(expected.name)\\u0000\"") == nil)
    #expect(method("\"" + "\(expected.name)".uppercased() + "\"") == nil)
  }

  @Test(
    "a JSON value that is not the name of a method is not read as a method",
    arguments: ["\"\"", "\"rpc.x\"", "\"session\"", "7", "null", "[]", "{}"])
  func others(_ name: String) { #expect(method(name) == nil) }

  /// The names of a method's params, as the protocol documents them.
  private func known(_ method: Method) -> [String] {
    switch method {
    case .describe: ["protocol"]
    case .discover, .stats: []
    case .open:
      [
        "session", "flow", "screen", "locale", "values", "transitions", "policy", "detail", "context", "secrets",
        "supports", "principal", "saved", "protocol",
      ]
    case .submit:
      [
        "session", "flow", "screen", "locale", "values", "transitions", "policy", "detail", "context", "secrets",
        "supports", "principal", "action", "revision", "timeoutMs", "protocol",
      ]
    case .presented: ["session", "revision"]
    case .edit: ["session", "item", "value", "revision"]
    case .press: ["session", "action", "revision"]
    case .locale: ["session", "locale"]
    case .snapshot, .save, .close: ["session"]
    case .options: ["session", "item", "revision"]
    case .list: ["cursor", "limit"]
    case .advance: ["milliseconds"]
    case .cancel: ["id"]
    }
  }

  @Test(
    "the set of params can hold every param of the protocol, and every param belongs to a method",
    arguments: Parameters.Name.allCases)
  func room(_ name: Parameters.Name) {
    #expect(Parameters.Name.allCases.count <= Parameters.capacity)
    #expect(Method.allCases.contains { known($0).contains("\(name.text)") }, "\(name.text)")
  }

  private func refusal(_ params: String, _ method: Method) -> RPCError? {
    withDocument(params) { document, _ in
      do throws(RPCError) {
        try Parameters(document, document.root).check(for: method, document)
        return nil
      } catch {
        return error
      }
    }
  }

  @Test("a method accepts its own params and no others", arguments: Method.allCases) func params(_ method: Method) {
    let known = known(method)
    let all = Parameters.Name.allCases.map { "\($0.text)" }
    #expect(Set(known).isSubset(of: all))
    for name in all + ["", "Session", "sessionx", "sess", "valuer", "paramsparams"] {
      #expect((refusal("{\"\(name)\":1}", method) == nil) == known.contains(name), "\(name)")
    }
    #expect(refusal("{}", method) == nil)
    let everything = "{\(known.map { "\"\($0)\":null" }.joined(separator: ","))}"
    #expect(refusal(everything, method) == nil)
    #expect(refusal("{\"secretValue\":\"kEy7\"}", method)?.name == "invalidParams")
  }

  @Test("a param is found by its name, even an escaped one", arguments: Parameters.Name.allCases)
  func lookup(_ name: Parameters.Name) throws {
    let text = "\(name.text)"
    let first = try #require(text.unicodeScalars.first?.value)
    let escaped = "\\u00" + String(first, radix: 16) + text.dropFirst()
    for key in [text, escaped] {
      withDocument("{\"x\":0,\"\(key)\":[5],\"y\":1}") { document, _ in
        let parameters = Parameters(document, document.root)
        #expect(parameters[name].map { String(decoding: document.text($0), as: UTF8.self) } == "[5]", "\(key)")
        for other in Parameters.Name.allCases where other != name { #expect(parameters[other] == nil) }
      }
    }
  }

  @Test("a param's value is read as a string or a whole number only if it is one")
  func kinds() {
    let values: [(String, isString: Bool, number: UInt64?)] = [
      ("\"a\"", true, nil), ("\"\"", true, nil), ("0", false, 0), ("7", false, 7), ("-1", false, nil),
      ("1.0", false, 1), ("1e2", false, 100), ("1.5", false, nil),
      ("9223372036854775807", false, 9_223_372_036_854_775_807),
      ("9223372036854775808", false, nil), ("99999999999999999999999", false, nil), ("null", false, nil),
      ("true", false, nil), ("[]", false, nil), ("{}", false, nil),
    ]
    for (value, isString, number) in values {
      withDocument("{\"session\":\(value),\"limit\":\(value)}") { document, _ in
        let parameters = Parameters(document, document.root)
        #expect(((try? parameters.requiredString(.session, document)) != nil) == isString, "\(value)")
        #expect(((try? parameters.optionalString(.session, document)) != nil) == isString, "\(value)")
        #expect((try? parameters.optionalNumber(.limit, document)) == number, "\(value)")
      }
    }
    withDocument("{}") { document, _ in
      let parameters = Parameters(document, document.root)
      #expect((try? parameters.requiredString(.session, document)) == nil)
      #expect(throws: Never.self) { try parameters.optionalString(.session, document) }
      #expect(throws: Never.self) { try parameters.optionalNumber(.limit, document) }
    }
  }
}
