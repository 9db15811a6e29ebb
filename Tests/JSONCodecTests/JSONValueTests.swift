import JSONCodec
import Testing

@Suite("Values as trees")
struct JSONValueTests {
  @Test(
    "the depth of a value is the nesting of its arrays and objects",
    arguments: [("7", 0), (#""[""#, 0), ("[]", 1), ("{}", 1), (#"{"a":1,"b":[[],{"c":[]}]}"#, 4), ("[[],[]]", 2)])
  func depth(text: String, depth: Int) throws { #expect(try JSONValue(parsing: text).depth == depth) }

  private func parsed(_ text: String) throws -> JSONValue { try JSONValue(parsing: text) }

  @Test(
    "JSON values are equal if they differ only in white space, escapes or the order of members",
    arguments: [
      ("{}", " { } "), (#"{"a":1,"b":[2]}"#, #"{"b":[2],"a":1}"#), (#""\u0061""#, #""a""#),
      (#"{"\u0061":{"x":1,"y":2}}"#, #"{"a":{"y":2,"x":1}}"#), ("[1,2]", "[ 1 , 2 ]"),
    ])
  func equal(_ left: String, _ right: String) throws {
    #expect(try parsed(left) == parsed(right))
    #expect(try parsed(right) == parsed(left))
  }

  @Test(
    "different JSON values are not equal",
    arguments: [
      ("1", "1.0"), ("1e2", "100"), ("0", "-0"), ("1", "\"1\""), ("null", "false"), ("true", "false"),
      ("[1,2]", "[2,1]"), ("[]", "{}"), ("[1]", "[1,1]"),
      (#"{"a":1}"#, #"{"a":2}"#), (#"{"a":1}"#, #"{"b":1}"#), (#"{"a":1}"#, #"{"a":1,"b":1}"#),
      ("\"é\"", "\"e\u{301}\""), ("{\"é\":1}", "{\"e\u{301}\":1}"), (#"{"a":null}"#, "{}"),
    ])
  func different(_ left: String, _ right: String) throws {
    #expect(try parsed(left) != parsed(right))
    #expect(try parsed(right) != parsed(left))
  }

  @Test("the comparison of objects with duplicate keys, which only code can create, is symmetric")
  func repeatedKeys() {
    let twice = JSONValue.object([.init("a", .null), .init("a", .null)])
    let other = JSONValue.object([.init("a", .null), .init("b", .null)])
    let mixed = JSONValue.object([.init("a", .null), .init("a", .bool(true))])
    #expect(twice != other && other != twice)
    #expect(mixed == mixed && mixed != twice && twice != mixed)
  }

  @Test("members are found by name and elements by index, and the result is nil if there is none")
  func access() throws {
    let value = try parsed(#"{"s":"x","n":12,"big":1e3,"b":true,"z":null,"l":[1,"two"],"e\u0301":1}"#)
    #expect(value["s"]?.string == "x" && value["n"]?.integer == 12 && value["big"]?.integer == nil)
    #expect(value["b"]?.bool == true && value["z"]?.isNull == true && value["l"]?[1]?.string == "two")
    #expect(
      value["l"]?[2] == nil && value["l"]?[-1] == nil && value["no"] == nil && value["l"]?["x"] == nil
        && value[0] == nil)
    #expect(value["é"] == nil && value["e\u{301}"]?.integer == 1)
    #expect(
      value.members?.map(\.key).first == "s" && value["l"]?.array?.count == 2 && value.array == nil
        && value.string == nil)
  }
}
