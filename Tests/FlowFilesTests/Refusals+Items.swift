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
private let secret = #"{"id":"more","kind":"input","inputType":"newPassword"}"#
private let link = #"{"id":"more","kind":"link","title":"unknownError","url":"https://example.com"}"#

/// A fourth item on the first screen, with a change that spoils it.
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
    item(input, "/value", "7", "7", "a string"),
    item(input, "/value", "\"" + String(repeating: "x", count: 4097) + "\"", "xxx…", "at most 4096 bytes"),
    item(input, "/options", "[]", "an unknown member", #""inputType""#),
    item(input, "/keyboard", #""emoji""#, #""emoji""#, #""text", "ascii", "email", "number", "phone", "url""#),
    item(input, "/autofill", #""user""#, #""user""#, "autocomplete"),
    item(input, "/autofill", "true", "true", "a string"),
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
    item(input, "/url", #""https://example.com""#, "an unknown member", #""inputType""#),
    Refusal(remember + "/keyboard", #""text""#, found: "an unknown member", expected: #""value""#),
    Refusal(remember + "/emphasis", "null", found: "null", expected: #""normal""#),
  ] + wrongValues

private let wrongValues: [Refusal] = [
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

/// A fourth item on the first screen with one rule.
private func rule(_ json: String, _ rule: String, _ place: String, _ found: String, _ expected: String) -> Refusal {
  Refusal(
    [Edit(more, json), Edit(more + "/rules", "[\(rule)]")], at: more + "/rules/0" + place, found: found,
    expected: expected)
}

let wrongConditions: [Refusal] = [
  condition(#"{"item":"remember"}"#, "", #"no member "is""#, "one"),
  condition(#"{"is":true}"#, "", #"no member "item""#, "one"),
  condition(#"{"item":"remember","is":true,"not":true}"#, "/not", "an unknown member", #""item", "is""#),
  condition(#"{"item":"remember","is":"on"}"#, "/is", #""on""#, "true or false"),
  condition(#"{"item":"remember","is":[true]}"#, "/is", "an array", "true or false"),
  condition(#"{"item":"email","is":"ada"}"#, "/item", #""email""#, "a switch or selection that stands before"),
  condition(#"{"item":"password","is":true}"#, "/item", #""password""#, "a switch or selection that stands before"),
  condition(#"{"item":"gone","is":true}"#, "/item", #""gone""#, "a switch or selection that stands before"),
  condition(#"{"item":"more","is":true}"#, "/item", #""more""#, "a switch or selection that stands before"),
  condition("null", "", "null", "an object"),
  condition(#"{"item":"language","is":"fr"}"#, "/is", #""fr""#, "one of the selection's options"),
  condition(#"{"item":"language","is":true}"#, "/is", "true", "one of the selection's options"),
  condition(#"{"item":"language","is":[]}"#, "/is", "0 elements", "at least 1"),
  condition(#"{"item":"language","is":\#(repeated(201) { _ in "\"en\"" })}"#, "/is", "201 elements", "at most 200"),
  condition(#"{"item":"language","is":["en","fr"]}"#, "/is/1", #""fr""#, "one of the selection's options"),
  Refusal(
    email + "/visibleWhen", #"{"item":"remember","is":true}"#, at: email + "/visibleWhen/item",
    found: #""remember""#, expected: "stands before"),
  Refusal(
    section + "/visibleWhen", #"{"item":"remember","is":true}"#, at: section + "/visibleWhen/item",
    found: #""remember""#, expected: "stands before"),
  Refusal(
    [
      Edit("/screens/0/sections/1", #"{"id":"late","items":[{"id":"s","kind":"switch"}]}"#),
      Edit(section + "/visibleWhen", #"{"item":"s","is":true}"#),
    ], at: section + "/visibleWhen/item", found: #""s""#, expected: "stands before"),
]

/// A condition of an item that comes after a selection, on the first screen.
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

/// A fourth item on the first screen that repeats another.
private func repetition(_ json: String, of other: String, _ found: String, _ expected: String) -> Refusal {
  rule(json, #"{"rule":"equalTo","item":\#(other),"message":"unknownError"}"#, "/item", found, expected)
}
