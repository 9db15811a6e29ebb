private let section = "/screens/0/sections/0"
private let email = section + "/items/0"
private let password = section + "/items/1"
private let remember = section + "/items/2"
private let more = section + "/items/3"

private let language = #"""
  {"id":"language","apiKey":"language","kind":"selection","title":null,
  "options":[{"id":"en","title":"unknownError"},{"id":"de","title":"unknownError"}]}
  """#
private let input = #"{"id":"more","kind":"input","inputType":"text"}"#
private let checked =
  #"{"id":"more","apiKey":"more","kind":"input","inputType":"text","check":{"afterMs":500}}"#
private let secret = #"{"id":"more","kind":"input","inputType":"newPassword"}"#
private let external = #"{"id":"more","kind":"external","type":"x"}"#
private let code = #"{"id":"more","kind":"code","text":"WDJB-MJHT","format":"plain"}"#
private let link = #"{"id":"more","kind":"link","title":"unknownError","url":"https://example.com"}"#

/// A case that adds a fourth item to the first screen, and an edit that makes the item invalid.
private func item(_ json: String, _ pointer: String, _ change: String?, _ found: String, _ expected: String) -> Refusal
{
  Refusal([Edit(more, json), Edit(more + pointer, change)], at: more + pointer, found: found, expected: expected)
}

let wrongKinds: [Refusal] =
  [
    item(language, "/options", "[]", "0 elements", "at least 1"),
    item(
      language, "/options", repeated(2001) { #"{"id":"o\#($0)","title":"unknownError"}"# }, "2001 elements",
      "at most 2000"),
    Refusal(
      [
        Edit(more, language), Edit(more + "/options", repeated(201) { #"{"id":"o\#($0)","title":"unknownError"}"# }),
        Edit(more + "/value", #""fr""#),
      ], at: more + "/value", found: #""fr""#, expected: "the id of one of the options"),
    item(language, "/options", "{}", "an empty object", "an array"),
    Refusal(
      [Edit(more, language), Edit(more + "/options", nil)], at: more, found: #"no member "options""#, expected: "one"),
    item(language, "/options/1/id", #""en""#, #""en""#, "no other option"),
    item(language, "/options/1/title", #""gone""#, #""gone""#, #"strings of "en""#),
    item(language, "/options/1/value", "1", "an unknown member", #""id", "title""#),
    item(language, "/value", #""fr""#, #""fr""#, #"one of "en", "de""#),
    item(language, "/value", "true", "true", "a string"),
    item(language, "/placeholder", #""unknownError""#, "an unknown member", #""options""#),
    item(language, "/inputType", #""text""#, "an unknown member", #""options""#),
    item(#"{"id":"t","kind":"text","title":"unknownError"}"#, "/apiKey", #""t""#, "an unknown member", #""title""#),
    item(#"{"id":"t","kind":"text","title":"unknownError"}"#, "/rules", "[]", "an unknown member", #""title""#),
    item(#"{"id":"t","kind":"text","title":"unknownError"}"#, "/title", "null", "null", "a string"),
    Refusal(more, #"{"id":"t","kind":"text"}"#, found: #"no member "title""#, expected: "one"),
    item(code, "/format", #""svg""#, #""svg""#, #""qr", "plain""#),
    Refusal([Edit(more, code), Edit(more + "/format", nil)], at: more, found: #"no member "format""#, expected: "one"),
    item(code, "/text", #""""#, #""""#, "1 to 2048 bytes without control characters"),
    item(code, "/text", #""a\nb""#, "", "without control characters"),
    item(code, "/text", #""a\u0085b""#, "", "without control characters"),
    item(code, "/text", "\"" + String(repeating: "x", count: 2049) + "\"", "xxx…", "1 to 2048 bytes"),
    item(code, "/text", "5", "5", "1 to 2048 bytes"),
    item(code, "/apiKey", #""t""#, "an unknown member", #""format""#),
    item(code, "/rules", "[]", "an unknown member", #""format""#),
    item(input, "/check", #"{"afterMs":500}"#, "a check", #"none, as the item has no "apiKey""#),
    Refusal(
      [Edit(more, checked), Edit(more + "/readOnly", "true")], at: more + "/check", found: "a check",
      expected: "none, as the item is read-only"),
    item(checked, "/check", "500", "500", "an object"),
    item(checked, "/check", "{}", #"no member "afterMs""#, "one"),
    item(checked, "/check/afterMs", "99", "99", "a whole number from 100 to 10000"),
    item(checked, "/check/afterMs", "10001", "10001", "a whole number from 100 to 10000"),
    item(checked, "/check/afterMs", #""500""#, #""500""#, "a whole number"),
    item(checked, "/check/before", "true", "an unknown member", #""afterMs""#),
    item(code, "/check", #"{"afterMs":500}"#, "an unknown member", #""format""#),
    item(external, "/check", #"{"afterMs":500}"#, "an unknown member", #""request""#),
    item(input, "/value", "7", "7", "a string"),
    item(input, "/value", "\"" + String(repeating: "x", count: 4097) + "\"", "xxx…", "at most 4096 bytes"),
    item(input, "/options", "[]", "an unknown member", #""inputType""#),
    item(input, "/keyboard", #""emoji""#, #""emoji""#, #""text", "ascii", "email", "number", "phone", "url""#),
    item(input, "/autofill", #""user""#, #""user""#, "autocomplete"),
    item(input, "/autofill", "true", "true", "a string"),
    item(input, "/autofill", #""email billing""#, #""email billing""#, "autocomplete"),
    item(input, "/enterKey", #""return""#, #""return""#, #""enter""#),
    item(input, "/hint", #""no text""#, #""no text""#, "a key of the strings"),
    item(input, "/emphasis", ##""#ff0000""##, ##""#ff0000""##, #""normal", "subdued", "prominent", "critical""#),
    item(secret, "/value", #""hunter2""#, "a value", "none, as the item is secret"),
    item(secret, "/value", "null", "a value", "none, as the item is secret"),
    item(secret, "/readOnly", "true", "true", "false, as the item is secret"),
    item(input, "/readOnly", "null", "null", "true or false"),
    item(language, "/readOnly", "true", "an unknown member", #""options""#),
    item(link, "/url", #""javascript:alert(1)""#, #""javascript:alert(1)""#, "https://, http:// or mailto:"),
    item(link, "/url", "7", "7", "at most 2048 bytes"),
    item(link, "/title", "null", "null", "a string"),
    item(link, "/apiKey", #""more""#, "an unknown member", #""url""#),
    item(link, "/rules", "[]", "an unknown member", #""url""#),
    item(link, "/readOnly", "true", "an unknown member", #""url""#),
    Refusal([Edit(more, link), Edit(more + "/url", nil)], at: more, found: #"no member "url""#, expected: "one"),
    item(external, "/type", "7", "7", "a name"),
    item(external, "/type", #""a b""#, #""a b""#, "a name"),
    item(external, "/value", "null", "an unknown member", #""request", "text""#),
    item(external, "/inputType", #""text""#, "an unknown member", #""request", "text""#),
    item(external, "/readOnly", "true", "an unknown member", #""request", "text""#),
    item(external, "/text", #""gone""#, #""gone""#, #"strings of "en""#),
    item(external, "/title", "7", "7", "a string"),
    item(
      external, "/request", "\"" + String(repeating: "x", count: 16_383) + "\"", "xxx…",
      "at most 16384 bytes of compact JSON"
    ),
    item(
      external, "/request", String(repeating: "[", count: 33) + String(repeating: "]", count: 33), "an array",
      "at most 32 nested arrays and objects"),
    Refusal([Edit(more, external), Edit(more + "/type", nil)], at: more, found: #"no member "type""#, expected: "one"),
    item(input, "/url", #""https://example.com""#, "an unknown member", #""inputType""#),
    item(input, "/as", #""more""#, "a field", #"none, as the item has no "apiKey""#),
    item(checked, "/as", #""a field""#, #""a field""#, "a name"),
    // The first item has the field by its `apiKey`, the second by `as`.
    item(checked, "/as", #""email""#, #""email""#, "no other item of the screen"),
    Refusal(
      [Edit(password + "/as", #""secret""#), Edit(more, checked), Edit(more + "/as", #""secret""#)], at: more + "/as",
      found: #""secret""#, expected: "no other item of the screen"),
    Refusal(
      [Edit(password + "/as", #""more""#), Edit(more, checked)], at: more + "/apiKey", found: #""more""#,
      expected: "no other item of the screen"),
    Refusal(remember + "/keyboard", #""text""#, found: "an unknown member", expected: #""value""#),
    Refusal(remember + "/emphasis", "null", found: "null", expected: #""normal""#),
  ] + wrongValues

private let wrongValues: [Refusal] = [
  rule(
    external, #"{"rule":"oneOf","values":["en"],"message":"unknownError"}"#, "/rule", #""oneOf""#,
    "that an external item can have"),
  rule(language, #"{"rule":"email","message":"unknownError"}"#, "/rule", #""email""#, "that a selection can have"),
  rule(
    language, #"{"rule":"minLength","length":1,"message":"unknownError"}"#, "/rule", #""minLength""#,
    "that a selection can have"),
  rule(
    language, #"{"rule":"oneOf","values":["en","fr"],"message":"unknownError"}"#, "/values/1", #""fr""#,
    "one of the selection's options"),
  rule(input, #"{"rule":"oneOf","values":[],"message":"unknownError"}"#, "/values", "0 elements", "at least 1"),
  rule(
    input, #"{"rule":"oneOf","values":\#(repeated(201) { "\"\($0)\"" }),"message":"unknownError"}"#, "/values",
    "201 elements", "at most 200"),
  rule(input, #"{"rule":"oneOf","values":["a",1],"message":"unknownError"}"#, "/values/1", "1", "a string"),
  rule(input, #"{"rule":"oneOf","values":"a","message":"unknownError"}"#, "/values", #""a""#, "an array"),
  rule(input, #"{"rule":"oneOf","message":"unknownError"}"#, "", #"no member "values""#, "one"),
  rule(
    input, #"{"rule":"oneOf","values":["a"],"length":1,"message":"unknownError"}"#, "/length", "an unknown member",
    #""values""#),
  rule(
    secret, #"{"rule":"oneOf","values":["a"],"message":"unknownError"}"#, "/rule", #""oneOf""#,
    "another rule, as the item is secret"),
]

private let date = #"{"id":"more","kind":"input","inputType":"date"}"#

/// Invalid date rules.
let wrongDates: [Refusal] = [
  rule(input, #"{"rule":"date","message":"unknownError"}"#, "/rule", #""date""#, #""inputType" is not "date""#),
  rule(input, #"{"rule":"minAge","years":1,"message":"unknownError"}"#, "/rule", #""minAge""#, "another rule"),
  rule(secret, #"{"rule":"before","date":"today","message":"unknownError"}"#, "/rule", #""before""#, "another rule"),
  rule(
    language, #"{"rule":"after","date":"today","message":"unknownError"}"#, "/rule", #""after""#,
    "that a selection can have"),
  rule(date, #"{"rule":"minAge","message":"unknownError"}"#, "", #"no member "years""#, "one"),
  rule(date, #"{"rule":"minAge","years":0,"message":"unknownError"}"#, "/years", "0", "a whole number from 1 to 150"),
  rule(date, #"{"rule":"maxAge","years":151,"message":"unknownError"}"#, "/years", "151", "from 1 to 150"),
  rule(date, #"{"rule":"before","message":"unknownError"}"#, "", #"no member "date""#, "one"),
  rule(date, #"{"rule":"before","date":"2005-02-29","message":"unknownError"}"#, "/date", "2005-02-29", "that exists"),
  rule(date, #"{"rule":"after","date":"tomorrow","message":"unknownError"}"#, "/date", "tomorrow", #""today""#),
  rule(date, #"{"rule":"after","date":20040229,"message":"unknownError"}"#, "/date", "20040229", #""today""#),
  rule(
    date, #"{"rule":"date","date":"today","message":"unknownError"}"#, "/date", "an unknown member",
    #"one of "rule", "message""#),
]

/// A case that adds a fourth item with one invalid rule to the first screen.
private func rule(_ json: String, _ rule: String, _ place: String, _ found: String, _ expected: String) -> Refusal {
  Refusal(
    [Edit(more, json), Edit(more + "/rules", "[\(rule)]")], at: more + "/rules/0" + place, found: found,
    expected: expected)
}

let wrongConditions: [Refusal] = [
  condition(#"{"item":"remember"}"#, "", #"no member "is""#, "one"),
  condition(#"{"is":true}"#, "", #"no member "item""#, "one"),
  condition("{}", "", #"no member "item""#, "one"),
  condition(#"{"item":"remember","is":true,"not":true}"#, "/not", "an unknown member", #""item", "is""#),
  condition(#"{"item":"remember","is":"on"}"#, "/is", #""on""#, "true or false"),
  condition(#"{"item":"remember","is":[true]}"#, "/is", "an array", "true or false"),
  condition(#"{"item":"password","is":"x"}"#, "/item", #""password""#, "input that is not secret"),
  condition(#"{"item":"password","isEmpty":true}"#, "/item", #""password""#, "input that is not secret"),
  condition(#"{"item":"gone","is":true}"#, "/item", #""gone""#, "switch, selection or input"),
  condition(#"{"item":"more","is":"x"}"#, "/item", #""more""#, "earlier switch"),
  condition("null", "", "null", "an object"),
  condition(#"{"item":"language","is":"fr"}"#, "/is", #""fr""#, "one of the selection's options"),
  condition(#"{"item":"language","is":true}"#, "/is", "true", "one of the selection's options"),
  condition(#"{"item":"language","is":[]}"#, "/is", "0 elements", "at least 1"),
  condition(#"{"item":"language","is":\#(repeated(201) { _ in "\"en\"" })}"#, "/is", "201 elements", "at most 200"),
  condition(#"{"item":"language","is":["en","fr"]}"#, "/is/1", #""fr""#, "one of the selection's options"),
  Refusal(
    email + "/visibleWhen", #"{"item":"remember","is":true}"#, at: email + "/visibleWhen/item",
    found: #""remember""#, expected: "earlier"),
  Refusal(
    section + "/visibleWhen", #"{"item":"remember","is":true}"#, at: section + "/visibleWhen/item",
    found: #""remember""#, expected: "earlier"),
  Refusal(
    [
      Edit("/screens/0/sections/1", #"{"id":"late","items":[{"id":"s","kind":"switch"}]}"#),
      Edit(section + "/visibleWhen", #"{"item":"s","is":true}"#),
    ], at: section + "/visibleWhen/item", found: #""s""#, expected: "earlier"),
  Refusal(
    [
      Edit(more, external),
      Edit("/screens/0/sections/1", #"{"id":"late","visibleWhen":{"item":"more","isEmpty":true},"items":[]}"#),
    ], at: "/screens/0/sections/1/visibleWhen/item", found: #""more""#, expected: "input that is not secret"),
]

/// Invalid conditions on texts, and invalid combinations of conditions.
let wrongTextConditions: [Refusal] = [
  condition(#"{"item":"email"}"#, "", #"no member "is" or "isEmpty" or "matches""#, "one"),
  condition(#"{"item":"email","is":true}"#, "/is", "true", "a string"),
  condition(#"{"item":"email","is":[]}"#, "/is", "0 elements", "at least 1"),
  condition(#"{"item":"email","is":["a",null]}"#, "/is/1", "null", "a string"),
  condition(
    #"{"item":"email","is":\#(repeated(201) { "\"t\($0)\"" })}"#, "/is", "201 elements", "at most 200"),
  condition(#"{"item":"email","isEmpty":"yes"}"#, "/isEmpty", #""yes""#, "true or false"),
  condition(#"{"item":"email","isEmpty":true,"is":"a"}"#, "", #"more than one of "is", "isEmpty", "matches""#, "one"),
  condition(#"{"item":"email","matches":"[0-9"}"#, "/matches", #""[0-9""#, "a pattern (RFC 9485), and another"),
  condition(#"{"item":"email","matches":7}"#, "/matches", "7", "a string"),
  condition(#"{"item":"remember","isEmpty":true}"#, "/isEmpty", "an unknown member", #""item", "is""#),
  condition(#"{"item":"language","matches":"e."}"#, "/matches", "an unknown member", #""item", "is", "isEmpty""#),
  condition(#"{"item":"language"}"#, "", #"no member "is" or "isEmpty""#, "one"),
  condition(#"{"all":[]}"#, "/all", "0 elements", "at least 1"),
  condition(#"{"any":{"item":"remember","is":true}}"#, "/any", "an object", "an array"),
  condition(#"{"not":[{"item":"remember","is":true}]}"#, "/not", "an array", "an object"),
  condition(
    #"{"all":[{"item":"remember","is":true}],"not":{"item":"remember","is":true}}"#, "/not", "an unknown member",
    #"one of "all""#),
  condition(#"{"any":[{"item":"remember","is":true}],"is":true}"#, "/is", "an unknown member", #"one of "any""#),
  condition(#"{"any":[{"not":{"item":"gone","is":true}}]}"#, "/any/0/not/item", #""gone""#, "earlier"),
  condition(nested(9), String(repeating: "/not", count: 8), "an object", "others are at most 8 deep"),
  condition(
    #"{"all":\#(repeated(65) { _ in #"{"item":"remember","is":true}"# })}"#, "/all", "65 elements", "at most 64"),
  condition(
    #"{"any":[{"all":\#(repeated(64) { _ in #"{"item":"remember","is":true}"# })},{"item":"email","isEmpty":true}]}"#,
    "/any/1", "condition 65 on an item", "at most 64"),
  Refusal(
    [
      Edit(more, input),
      Edit(more + "/visibleWhen", #"{"all":\#(repeated(64) { _ in #"{"item":"email","matches":"a"}"# })}"#),
      Edit("/screens/0/sections/1", #"{"id":"s","items":[],"visibleWhen":{"item":"email","matches":"a"}}"#),
    ], at: "/screens/0/sections/1/visibleWhen/matches", found: "pattern 65 in conditions", expected: "at most 64"),
]

private func nested(_ depth: Int) -> String {
  String(repeating: #"{"not":"#, count: depth) + #"{"item":"remember","is":true}"#
    + String(repeating: "}", count: depth)
}

/// A case with an invalid condition, in an item after a selection on the first screen.
private func condition(_ json: String, _ place: String, _ found: String, _ expected: String) -> Refusal {
  let last = section + "/items/4"
  return Refusal(
    [Edit(more, language), Edit(last, input), Edit(last + "/visibleWhen", json)], at: last + "/visibleWhen" + place,
    found: found, expected: expected)
}

let wrongRepetitions: [Refusal] = [
  repetition(input, of: #""gone""#, #""gone""#, "the id of an input"),
  repetition(input, of: #""more""#, #""more""#, "another input"),
  repetition(input, of: #""remember""#, #""remember""#, "the id of an input"),
  repetition(input, of: #""password""#, #""password""#, "not secret either"),
  repetition(secret, of: #""email""#, #""email""#, "secret as well"),
  repetition(input, of: "0", "0", "a string"),
  Refusal(
    [Edit(more, input), Edit(more + "/rules", #"[{"rule":"equalTo","message":"unknownError"}]"#)],
    at: more + "/rules/0", found: #"no member "item""#, expected: "one"),
  Refusal(
    [
      Edit(more, #"{"id":"other","kind":"input","inputType":"text","visibleWhen":{"item":"remember","is":true}}"#),
      Edit(section + "/items/4", input),
      Edit(section + "/items/4/rules", #"[{"rule":"equalTo","item":"other","message":"unknownError"}]"#),
    ], at: section + "/items/4/rules/0/item", found: #""other""#, expected: "always on the screen"),
  Refusal(
    [
      Edit(more, input), Edit(more + "/rules", #"[{"rule":"equalTo","item":"later","message":"unknownError"}]"#),
      Edit(
        "/screens/0/sections/1",
        #"""
        {"id":"late","visibleWhen":{"item":"remember","is":true},
        "items":[{"id":"later","kind":"input","inputType":"text"}]}
        """#),
    ], at: more + "/rules/0/item", found: #""later""#, expected: "under the same conditions"),
  Refusal(
    remember + "/rules", #"[{"rule":"equalTo","item":"email","message":"unknownError"}]"#,
    at: remember + "/rules/0/rule", found: #""equalTo""#, expected: "a switch"),
]

/// A case that adds a fourth item to the first screen, with an invalid rule that it must equal
/// another.
private func repetition(_ json: String, of other: String, _ found: String, _ expected: String) -> Refusal {
  rule(json, #"{"rule":"equalTo","item":\#(other),"message":"unknownError"}"#, "/item", found, expected)
}
