import JSONCodec
import LoginProtocol
import Testing

@testable import EngineCore

@Suite("Views of other versions of the protocol")
struct VersionedViewTests {
  private func result(_ method: String, _ params: String) throws -> JSONValue {
    let harness = try Harness()
    harness.view(#"{"jsonrpc":"2.0","id":1,"method":"\#(method)","params":{\#(params)}}"#)
    return try JSONValue(parsing: try #require(harness.takeOutput().last))
  }

  @Test(
    "unknown params of a call that states a later version are ignored, and the reply lists them",
    arguments: ["session/open", "engine/describe", "session/submit"])
  func later(_ method: String) throws {
    let reply = try result(method, #""protocol":"1.1","a":1,"b-c":[],"no name":2,"cursor":3"#)
    #expect(reply["result"]?["ignored"]?.text == #"["a","b-c","cursor"]"#, "\(reply.text)")
  }

  @Test(
    "unknown params from a view of this version or an earlier one are refused", arguments: [#""protocol":"1.0","#, ""])
  func same(_ version: String) throws {
    let data = try result("session/open", version + #""a":1"#)["error"]?["data"]
    #expect(data?["code"]?.string == "invalidParams" && data?["param"]?.string == "a")
  }

  @Test("a protocol version is two numbers separated by a dot")
  func versions() {
    for text in ["", "1", "1.", ".1", "1.0.0", "1.x", "-1.0", "1.0 ", "1000000.0", "٣.٠"] {
      #expect(ProtocolVersion(text) == nil, "\(text)")
    }
    #expect(ProtocolVersion("1.10").map { $0 > ProtocolVersion(major: 1, minor: 9) } == true)
    #expect(ProtocolVersion.current.description == "1.0")
  }
}
