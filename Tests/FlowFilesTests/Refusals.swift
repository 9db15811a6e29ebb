/// Cases of invalid definitions: the edits, the position that is reported, and parts of the error.
let refusals: [Refusal] =
  wrongFlows + wrongScreens + wrongSections + wrongItems + wrongRules + wrongActions + wrongStrings + wrongOptions
  + wrongBeginnings + wrongAlerts + wrongKinds + wrongConditions + wrongTextConditions + wrongDates
  + wrongRepetitions + wrongShared + wrongDefaults

private let email = "/screens/0/sections/0/items/0"
private let remember = "/screens/0/sections/0/items/2"
private let longName = "\"" + String(repeating: "n", count: 65) + "\""

private let wrongFlows: [Refusal] = [
  Refusal("", "[]", found: "an empty array", expected: "an object"),
  Refusal("", "null", found: "null", expected: "an object"),
  Refusal("", "{}", found: #"no member "flow""#, expected: "one"),
  Refusal("/colour", "1", found: "an unknown member", expected: #""flow", "description", "start""#),
  Refusal("/a~1b~0c", "1", found: "an unknown member", expected: #""strings""#),
  Refusal("/flow", nil, at: "", found: #"no member "flow""#, expected: "one"),
  Refusal("/flow", "7", found: "7", expected: "a name"),
  Refusal("/flow", #""""#, found: #""""#, expected: "1 to 64"),
  Refusal("/flow", longName, found: "nnn…", expected: "1 to 64"),
  Refusal("/flow", #""my flow""#, found: #""my flow""#, expected: "letters, digits"),
  Refusal("/flow", #""flöw""#, found: #""flöw""#, expected: "letters, digits"),
  Refusal("/start", #""nowhere""#, found: #""nowhere""#, expected: "id of a screen"),
  Refusal("/start", "0", found: "0", expected: "a name"),
  Refusal("/validation", #""later""#, found: #""later""#, expected: #""live", "onSubmit""#),
  Refusal("/marking", #""some""#, found: #""some""#, expected: #""touched", "all", "none""#),
  Refusal("/failure", #""popup""#, found: #""popup""#, expected: #""inline", "alert""#),
  Refusal("/pending", "true", found: "true", expected: #""cancel", "cover""#),
  Refusal("/requestTimeoutMs", "0", found: "0", expected: "1 to 3600000"),
  Refusal("/requestTimeoutMs", "3600001", found: "3600001", expected: "1 to 3600000"),
  Refusal("/requestTimeoutMs", "1.5", found: "1.5", expected: "a whole number"),
  Refusal("/requestTimeoutMs", #""30000""#, found: #""30000""#, expected: "a whole number"),
  Refusal("/requestTimeoutMs", "99999999999999999999", found: "99999999999999999999", expected: "a whole number"),
]

private let wrongScreens: [Refusal] = [
  Refusal("/screens", nil, at: "", found: #"no member "screens""#, expected: "one"),
  Refusal("/screens", "[]", found: "0 elements", expected: "at least 1"),
  Refusal("/screens", "{}", found: "an empty object", expected: "an array"),
  Refusal("/screens", repeated(201) { #"{"id":"s\#($0)"}"# }, found: "201 elements", expected: "at most 200"),
  Refusal("/screens/0", "1", found: "1", expected: "an object"),
  Refusal("/screens/0/subtitle", #""x""#, found: "an unknown member", expected: #""id", "title""#),
  Refusal("/screens/1/id", #""login""#, found: #""login""#, expected: "no other screen"),
  Refusal("/screens/0/title", nil, at: "/screens/0", found: #"no member "title""#, expected: "one"),
  Refusal("/screens/0/title", "null", found: "null", expected: "a string"),
  Refusal("/screens/0/title", #""login.titel""#, found: #""login.titel""#, expected: #"strings of "en""#),
  Refusal("/screens/0/request", nil, at: "/screens/0", found: #"no member "request""#, expected: "one"),
  Refusal("/screens/0/request", #""log in""#, found: #""log in""#, expected: "a name"),
  Refusal("/screens/0/success", nil, at: "/screens/0", found: #"no member "success""#, expected: "one"),
  Refusal("/screens/0/success", #""home""#, found: #""home""#, expected: "an object"),
  Refusal(
    "/screens/0/success/scene", nil, at: "/screens/0/success", found: #"neither "scene" nor "screen""#,
    expected: "one of them"),
  Refusal(
    "/screens/0/success/screen", #""setup""#, at: "/screens/0/success", found: #"both "scene" and "screen""#,
    expected: "one of them"),
  Refusal(
    "/screens/2/success/screen", #""home""#, found: #""home""#, expected: "the id of a screen"),
  Refusal("/screens/0/success/scene", "null", found: "null", expected: "a name"),
  Refusal("/screens/0/success/message", "1", found: "an unknown member", expected: #""scene""#),
]

private let wrongSections: [Refusal] = [
  Refusal("/screens/0/sections", nil, at: "/screens/0", found: #"no member "sections""#, expected: "one"),
  Refusal(
    "/screens/0/sections/0/titel", #""x""#, found: "an unknown member", expected: #""id", "title", "visibleWhen""#),
  Refusal("/screens/0/sections/0/title", #""x""#, found: #""x""#, expected: #"strings of "en""#),
  Refusal("/screens/0/sections/0/items", "null", found: "null", expected: "an array"),
  Refusal(
    "/screens/0/sections/1", #"{"id":"credentials","items":[]}"#, at: "/screens/0/sections/1/id",
    found: #""credentials""#, expected: "no other section"),
  Refusal(
    "/screens/0/sections/0/items", repeated(1001) { #"{"id":"i\#($0)","apiKey":"k\#($0)","kind":"switch"}"# },
    found: "1001 elements", expected: "at most 1000"),
  Refusal(
    "/screens/0/sections/1",
    #"{"id":"more","items":\#(repeated(998) { #"{"id":"i\#($0)","apiKey":"k\#($0)","kind":"switch"}"# })}"#,
    at: "/screens/0/sections/1/items/997", found: "item 1001", expected: "at most 1000"),
]

private let wrongItems: [Refusal] = [
  Refusal(email, "[]", found: "an empty array", expected: "an object"),
  Refusal(email + "/id", nil, at: email, found: #"no member "id""#, expected: "one"),
  Refusal(email + "/id", #""remember""#, at: remember + "/id", found: #""remember""#, expected: "no other item"),
  Refusal(
    email + "/apiKey", #""remember""#, at: remember + "/apiKey", found: #""remember""#, expected: "no other item"),
  Refusal(email + "/apiKey", "null", found: "null", expected: "a name"),
  Refusal(email + "/kind", nil, at: email, found: #"no member "kind""#, expected: "one"),
  Refusal(
    email + "/kind", #""button""#, found: #""button""#,
    expected: #""input", "selection", "switch", "text", "link", "code", "external""#),
  Refusal(email + "/kind", #""switch""#, at: email + "/inputType", found: "an unknown member", expected: #""value""#),
  Refusal(email + "/inputType", nil, at: email, found: #"no member "inputType""#, expected: "one"),
  Refusal(
    email + "/inputType", #""number""#, found: #""number""#,
    expected: #""text", "email", "date", "password", "newPassword", "oneTimeCode""#),
  Refusal(email + "/title", "1", found: "1", expected: "a string"),
  Refusal(email + "/placeholder", #""nope""#, found: #""nope""#, expected: #"strings of "en""#),
  Refusal(remember + "/value", #""on""#, found: #""on""#, expected: "true or false"),
  Refusal(remember + "/placeholder", #""email.title""#, found: "an unknown member", expected: #""value""#),
  // The key contains the Kelvin sign, which is canonically equivalent to K.
  Refusal(remember + "/api\u{212A}ey", #""x""#, found: "an unknown member", expected: #""apiKey""#),
]

private let wrongRules: [Refusal] = [
  Refusal(email + "/rules", "{}", found: "an empty object", expected: "an array"),
  Refusal(
    email + "/rules", repeated(17) { _ in #"{"rule":"required","message":"email.missing"}"# }, found: "17 elements",
    expected: "at most 16"),
  Refusal(email + "/rules/0/rule", nil, at: email + "/rules/0", found: #"no member "rule""#, expected: "one"),
  Refusal(email + "/rules/0/rule", #""regex""#, found: #""regex""#, expected: #""required", "minLength""#),
  Refusal(
    email + "/rules/0/rule", #""pattern""#, at: email + "/rules/0", found: #"no member "pattern""#, expected: "one"),
  Refusal(
    email + "/rules/0", #"{"rule":"pattern","pattern":6,"message":"email.missing"}"#, at: email + "/rules/0/pattern",
    found: "6", expected: "a string"),
  Refusal(
    email + "/rules/0", #"{"rule":"pattern","pattern":"ab\\d{6}","message":"email.missing"}"#,
    at: email + "/rules/0/pattern", found: #""ab\\d{6}""#,
    expected: "another character 3: there is no \\d; a digit is [0-9]"),
  Refusal(
    email + "/rules/0", #"{"rule":"pattern","pattern":"(a{256}){256}","message":"email.missing"}"#,
    at: email + "/rules/0/pattern", found: #""(a{256}){256}""#, expected: "(RFC 9485): a pattern has at most 256"),
  Refusal(
    email + "/rules/0", #"{"rule":"pattern","pattern":"a","length":1,"message":"email.missing"}"#,
    at: email + "/rules/0/length", found: "an unknown member", expected: #""pattern""#),
  Refusal(
    email + "/rules/0", #"{"rule":"minLength","length":1,"acceptsEmpty":"no","message":"email.missing"}"#,
    at: email + "/rules/0/acceptsEmpty", found: #""no""#, expected: "true or false"),
  Refusal(
    email + "/rules/0", #"{"rule":"maxLength","length":1,"acceptsEmpty":false,"message":"email.missing"}"#,
    at: email + "/rules/0/acceptsEmpty", found: "an unknown member", expected: #""length""#),
  Refusal(
    remember + "/rules", #"[{"rule":"pattern","pattern":"a","message":"email.invalid"}]"#,
    at: remember + "/rules/0/rule", found: #""pattern""#, expected: "a switch"),
  Refusal(email + "/rules/0/message", nil, at: email + "/rules/0", found: #"no member "message""#, expected: "one"),
  Refusal(email + "/rules/0/message", #""gone""#, found: #""gone""#, expected: #"strings of "en""#),
  Refusal(email + "/rules/0/length", "3", found: "an unknown member", expected: #""rule", "message""#),
  Refusal(
    email + "/rules/0/rule", #""minLength""#, at: email + "/rules/0", found: #"no member "length""#, expected: "one"),
  Refusal(
    email + "/rules/0", #"{"rule":"maxLength","length":0,"message":"email.missing"}"#, at: email + "/rules/0/length",
    found: "0", expected: "1 to 4096"),
  Refusal(
    email + "/rules/0", #"{"rule":"minLength","length":4097,"message":"email.missing"}"#,
    at: email + "/rules/0/length", found: "4097", expected: "1 to 4096"),
  Refusal(
    email + "/rules/0", #"{"rule":"minLength","length":-1,"message":"email.missing"}"#, at: email + "/rules/0/length",
    found: "-1", expected: "1 to 4096"),
  Refusal(
    email + "/rules/0", #"{"rule":"minLength","length":1,"minimum":1,"message":"email.missing"}"#,
    at: email + "/rules/0/minimum", found: "an unknown member", expected: #""length""#),
  Refusal(
    remember + "/rules", #"[{"rule":"email","message":"email.invalid"}]"#, at: remember + "/rules/0/rule",
    found: #""email""#, expected: "a switch"),
  Refusal(
    remember + "/rules", #"[{"rule":"minLength","length":2,"message":"email.invalid"}]"#,
    at: remember + "/rules/0/rule", found: #""minLength""#, expected: "a switch"),
  Refusal(
    remember + "/rules", #"[{"rule":"maxLength","length":2,"message":"email.invalid"}]"#,
    at: remember + "/rules/0/rule", found: #""maxLength""#, expected: "a switch"),
]

private func requestLink(_ more: String) -> String {
  #"{"id":"send","title":"action.cancel","request":"send",\#(more)}"#
}

private let wrongActions: [Refusal] = [
  Refusal("/screens/0/actions", nil, at: "/screens/0", found: #"no member "actions""#, expected: "one"),
  Refusal("/screens/0/actions/submit", nil, at: "/screens/0/actions", found: #"no member "submit""#, expected: "one"),
  Refusal(
    "/screens/0/actions/undo", "{}", found: "an unknown member", expected: #""submit", "cancel", "retry", "again""#),
  Refusal("/screens/0/actions/again", "null", found: "null", expected: "an object"),
  Refusal(
    "/screens/0/actions/again", #"{"icon":"x"}"#, at: "/screens/0/actions/again/icon", found: "an unknown member",
    expected: #""id", "title""#),
  Refusal(
    "/screens/0/actions/again", #"{"title":"x"}"#, at: "/screens/0/actions/again/title", found: #""x""#,
    expected: #"strings of "en""#),
  Refusal(
    "/screens/0/actions/again", #"{"id":"retry"}"#, at: "/screens/0/actions/again/id", found: #""retry""#,
    expected: "no other action"),
  Refusal(
    [Edit("/screens/0/actions/retry/id", #""again""#), Edit("/screens/0/actions/again", "{}")],
    at: "/screens/0/actions/retry/id", found: #""again""#, expected: "no other action"),
  Refusal("/screens/0/actions/retry/id", #""submit""#, found: #""submit""#, expected: "no other action"),
  Refusal("/screens/0/actions/retry/icon", #""x""#, found: "an unknown member", expected: #""id", "title""#),
  Refusal("/screens/0/actions/retry/title", #""x""#, found: #""x""#, expected: #"strings of "en""#),
  Refusal("/screens/0/links", "null", found: "null", expected: "an array"),
  Refusal("/screens/0/links/0/id", #""cancel""#, found: #""cancel""#, expected: "no other action"),
  Refusal("/screens/0/links/0/screen", #""forgot""#, found: #""forgot""#, expected: "id of a screen"),
  Refusal(
    "/screens/0/links/0/screen", nil, at: "/screens/0/links/0", found: #"neither "screen" nor "request""#,
    expected: "one of them"),
  Refusal(
    "/screens/0/links/0/request", #""send""#, at: "/screens/0/links/0", found: #"both "screen" and "request""#,
    expected: "one of them"),
  Refusal(
    "/screens/0/links/0/sends", #""values""#, found: "an unknown member", expected: #""values", "request""#),
  Refusal(
    "/screens/0/links/0", requestLink(#""sends":"all""#), at: "/screens/0/links/0/sends", found: #""all""#,
    expected: #""nothing", "values""#),
  Refusal(
    "/screens/0/links/0", requestLink(#""values":"stay""#), at: "/screens/0/links/0/values", found: "an unknown member",
    expected: #""sends", "success""#),
  Refusal(
    "/screens/0/links/0", requestLink(#""success":{}"#), at: "/screens/0/links/0/success",
    found: #"neither "scene" nor "screen""#, expected: "one of them"),
  Refusal(
    "/screens/0/links/0", requestLink(#""success":{"screen":"there"}"#), at: "/screens/0/links/0/success/screen",
    found: #""there""#, expected: "id of a screen"),
  Refusal("/screens/0/links/0/url", #""x""#, found: "an unknown member", expected: #""screen""#),
  Refusal("/screens/0/links/0/values", #""keep""#, found: #""keep""#, expected: #""stay", "go", "carry""#),
]

private let wrongBeginnings: [Refusal] = [
  Refusal("/screens/0/begins", "[]", found: "0 elements", expected: "at least 1"),
  Refusal(
    "/screens/0/begins", repeated(5) { _ in #"{"request":"load","as":"beside"}"# }, found: "5 elements",
    expected: "at most 4"),
  Refusal(
    "/screens/0/begins", #"[{"as":"cover"}]"#, at: "/screens/0/begins/0", found: #"no member "request""#,
    expected: "one"),
  Refusal(
    "/screens/0/begins", #"[{"request":"load"}]"#, at: "/screens/0/begins/0", found: #"no member "as""#, expected: "one"
  ),
  Refusal(
    "/screens/0/begins", #"[{"request":"load","as":"under"}]"#, at: "/screens/0/begins/0/as", found: #""under""#,
    expected: #""cover", "beside""#),
  Refusal(
    "/screens/0/begins", #"[{"request":"load","as":"cover","message":"x"}]"#, at: "/screens/0/begins/0/message",
    found: "an unknown member", expected: #""request", "as", "success""#),
  Refusal(
    "/screens/0/begins", #"[{"request":"load","as":"cover"},{"request":"more","as":"cover"}]"#,
    at: "/screens/0/begins/1/as", found: #""cover""#, expected: #""beside", as another request covers the screen"#),
  Refusal(
    "/screens/0/begins", #"[{"request":"load","as":"beside","success":{"screen":"login"}}]"#,
    at: "/screens/0/begins/0/success/screen", found: #""login""#,
    expected: "a screen that does not lead back here without user input"),
]

private let wrongStrings: [Refusal] = [
  Refusal("/strings", nil, at: "", found: #"no member "strings""#, expected: "one"),
  Refusal("/strings", "[]", found: "an empty array", expected: "an object"),
  Refusal("/strings/en", #""x""#, found: #""x""#, expected: "an object"),
  Refusal("/strings/de_AT", "{}", found: #""de_AT""#, expected: "a locale"),
  Refusal("/strings/de", #"{"throttled":7}"#, at: "/strings/de/throttled", found: "7", expected: "a string"),
  Refusal("/strings/en/a key", #""x""#, found: #""a key""#, expected: "a key of 1 to 64"),
  Refusal("/defaultLocale", nil, at: "", found: #"no member "defaultLocale""#, expected: "one"),
  Refusal("/defaultLocale", #""fr""#, found: #""fr""#, expected: "a locale that"),
  Refusal("/defaultLocale", "null", found: "null", expected: "a string"),
  Refusal(
    "/strings/en/remember.title", nil, at: remember + "/title", found: #""remember.title""#, expected: #""en""#),
]
