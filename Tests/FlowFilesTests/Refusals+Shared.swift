private let section = "/screens/0/sections/0"
private let more = section + "/items/3"

private let shared = #"""
  [{"id":"nick","apiKey":"nick","kind":"input","inputType":"text","title":"unknownError"},
  {"id":"pin","apiKey":"pin","kind":"input","inputType":"oneTimeCode"},
  {"id":"terms","apiKey":"terms","kind":"switch"}]
  """#

/// A case that adds a fourth item to the first screen. It uses a shared item, and an edit makes it
/// invalid.
private func use(
  _ json: String, _ change: Edit? = nil, at place: String, _ found: String, _ expected: String
) -> Refusal {
  Refusal(
    [Edit("/items", shared), Edit(more, json)] + (change.map { [$0] } ?? []), at: place, found: found,
    expected: expected)
}

let wrongShared: [Refusal] = [
  Refusal("/items", "{}", found: "an empty object", expected: "an array"),
  Refusal("/items", repeated(1001) { #"{"id":"i\#($0)","kind":"switch"}"# }, found: "1001", expected: "at most 1000"),
  Refusal("/items", #"["email"]"#, at: "/items/0", found: #""email""#, expected: "an object"),
  Refusal("/items", #"[{"kind":"switch"}]"#, at: "/items/0", found: #"no member "id""#, expected: "one"),
  Refusal("/items", #"[{"id":"a"}]"#, at: "/items/0", found: #"no member "kind""#, expected: "one"),
  Refusal(
    "/items", #"[{"id":"a","kind":"switch","use":"b"}]"#, at: "/items/0/use", found: "an unknown member",
    expected: #""id", "apiKey""#),
  Refusal(
    "/items", #"[{"id":"a","kind":"switch"},{"id":"a","kind":"switch"}]"#, at: "/items/1/id", found: #""a""#,
    expected: "no other shared item"),
  Refusal(more, #""nick""#, found: #""nick""#, expected: #"the flow's "items""#),
  use(#""email""#, at: more, #""email""#, #"the flow's "items""#),
  use(#""a name""#, at: more, #""a name""#, "a name"),
  use(#"{"use":"email"}"#, at: more + "/use", #""email""#, #"the flow's "items""#),
  use(#"{"use":7}"#, at: more + "/use", "7", "a name"),
  use(#"{"use":"nick","kind":"input"}"#, at: more + "/kind", "an unknown member", #""use", "as", "id", "apiKey""#),
  use(#"{"use":"nick","options":[]}"#, at: more + "/options", "an unknown member", #""inputType""#),
  use(#"{"use":"nick","title":"gone"}"#, at: more + "/title", #""gone""#, #"strings of "en""#),
  use(#"{"use":"nick","id":"email"}"#, at: more + "/id", #""email""#, "no other item"),
  use(#"{"use":"nick","apiKey":"password"}"#, at: more + "/apiKey", #""password""#, "no other item"),
  use(#""nick""#, Edit(section + "/items/4", #""nick""#), at: section + "/items/4", #""nick""#, "no other item"),
  use(
    #""nick""#, Edit(section + "/items/4", #"{"use":"nick","id":"again"}"#), at: section + "/items/4", #""nick""#,
    "no other item"),
  // An error in a shared item is reported at the shared item.
  use(#""nick""#, Edit("/items/0/title", #""gone""#), at: "/items/0/title", #""gone""#, #"strings of "en""#),
  use(#"{"use":"nick","id":"n"}"#, Edit("/items/0/label", "1"), at: "/items/0/label", "an unknown member", #""id""#),
  use(
    #""nick""#, Edit("/items/0/visibleWhen", #"{"item":"terms","is":true}"#), at: "/items/0/visibleWhen/item",
    #""terms""#, "earlier"),
  use(
    #""nick""#, Edit("/items/0/rules", #"[{"rule":"equalTo","item":"pin","message":"unknownError"}]"#),
    at: "/items/0/rules/0/item", #""pin""#, "the id of an input"),
]

let wrongDefaults: [Refusal] = [
  Refusal("/defaultRules", "{}", found: "an empty object", expected: "an array"),
  Refusal(
    "/defaultRules", repeated(17) { _ in #"{"rule":"required","message":"unknownError"}"# }, found: "17 elements",
    expected: "at most 16"),
  Refusal(
    "/defaultRules", #"[{"rule":"required","message":"gone"}]"#, at: "/defaultRules/0/message", found: #""gone""#,
    expected: #"strings of "en""#),
  Refusal(
    "/defaultRules", #"[{"rule":"equalTo","item":"email","message":"unknownError"}]"#, at: "/defaultRules/0/rule",
    found: #""equalTo""#, expected: "another rule"),
  Refusal(
    [
      Edit("/defaultRules", #"[{"rule":"oneOf","values":["a"],"message":"unknownError"}]"#),
      Edit(more, #"{"id":"pin","kind":"input","inputType":"oneTimeCode"}"#),
    ], at: "/defaultRules/0/rule", found: #""oneOf""#, expected: "the item is secret"),
  // Ids of omitted actions are reserved first, so the clash is reported at an action that is
  // written.
  Refusal(
    [Edit("/screens/0/actions/cancel", nil), Edit("/screens/0/actions/submit/id", #""cancel""#)],
    at: "/screens/0/actions/submit/id", found: #""cancel""#, expected: "no other action"),
  Refusal(
    [Edit("/screens/0/actions/retry/id", nil), Edit("/screens/0/links/0/id", #""retry""#)],
    at: "/screens/0/links/0/id", found: #""retry""#, expected: "no other action"),
  Refusal("/screens/0/actions/cancel", "null", found: "null", expected: "an object"),
]
