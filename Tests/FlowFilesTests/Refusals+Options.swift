private let login = "/screens/0"
private let dismissed = #"{"dismiss":{"id":"ok","title":"action.cancel"}}"#

let wrongOptions: [Refusal] = [
  Refusal("/submit", #""never""#, found: #""never""#, expected: #""whenValid", "onlyWhenValid", "always""#),
  Refusal(
    [Edit("/validation", #""onSubmit""#), Edit("/submit", #""whenValid""#)], at: "/submit", found: #""whenValid""#,
    expected: #""always", as nothing is validated"#),
  Refusal(
    [Edit("/validation", #""onSubmit""#), Edit("/submit", #""onlyWhenValid""#)], at: "/submit",
    found: #""onlyWhenValid""#, expected: #""always", as nothing is validated"#),
  Refusal(
    [Edit("/marking", #""none""#), Edit("/submit", #""always""#)], at: "/marking", found: #""none""#,
    expected: #"the flow's member "invalid" to be "alert""#),
  Refusal(
    [Edit("/validation", #""onSubmit""#), Edit("/marking", #""none""#)], at: "/marking",
    found: #""none""#, expected: #"as a submit would not tell what is wrong"#),
  Refusal("/afterFailure", #""blank""#, found: #""blank""#, expected: #""values", "initial""#),
  Refusal(
    "/afterFailure", #""initial""#, found: #""initial""#,
    expected: #""values", as the flow's member "failure" is not "alert""#),
  Refusal("/invalid", #""both""#, found: #""both""#, expected: #""inline", "alert""#),
  Refusal("/transitions", #""slow""#, found: #""slow""#, expected: #""instant", "acknowledged""#),
  Refusal("/transitions", "null", found: "null", expected: #""instant", "acknowledged""#),
  Refusal("/policy", #""oldest""#, found: #""oldest""#, expected: #""queue", "latest", "reject""#),
  Refusal("/presentationTimeoutMs", "0", found: "0", expected: "1 to 3600000"),
  Refusal("/presentationTimeoutMs", "3600001", found: "3600001", expected: "1 to 3600000"),
  Refusal("/presentationTimeoutMs", "5.5e0", found: "5.5e0", expected: "a whole number"),
]

let wrongAlerts: [Refusal] = [
  Refusal(
    "/failure", #""alert""#, at: login, found: #"no member "alert""#, expected: #"the flow's member "failure""#),
  Refusal(
    "/invalid", #""alert""#, at: login, found: #"no member "alert""#, expected: #"the flow's member "invalid""#),
  Refusal(
    [Edit("/failure", #""alert""#), Edit(login + "/alert", dismissed)], at: login + "/alert",
    found: #"no member "failure""#, expected: #"one, as the flow's member "failure" is "alert""#),
  Refusal(
    [Edit("/invalid", #""alert""#), Edit(login + "/alert", dismissed)], at: login + "/alert",
    found: #"no member "invalid""#, expected: #"one, as the flow's member "invalid" is "alert""#),
  Refusal(
    [
      Edit("/failure", #""alert""#), Edit(login + "/alert", dismissed),
      Edit(login + "/alert/failure", #""unknownError""#),
    ], at: "/screens/1", found: #"no member "alert""#, expected: #""failure""#),
  Refusal(login + "/alert", "null", found: "null", expected: "an object"),
  Refusal(login + "/alert", "{}", found: #"no member "dismiss""#, expected: "one"),
  alert("", #"{"dismiss":{"id":"submit","title":"action.cancel"}}"#, at: "/dismiss/id", "submit", "no other action"),
  alert("", #"{"dismiss":{"id":"setup","title":"action.cancel"}}"#, at: "/dismiss/id", "setup", "no other action"),
  alert("/dismiss/role", #""red""#, #""red""#, #""dismiss", "destructive""#),
  alert("/dismiss/title", #""gone""#, #""gone""#, #"strings of "en""#),
  alert("/dismiss/icon", #""x""#, "an unknown member", #""id", "title", "role""#),
  alert("/failure", #""gone""#, #""gone""#, #"strings of "en""#),
  alert("/notice", "null", "null", "a string"),
  alert("/title", #""unknownError""#, "an unknown member", #""dismiss", "invalid", "failure", "notice""#),
]

/// A case with an alert on the first screen that is valid except for one edit.
private func alert(
  _ pointer: String, _ json: String, at place: String? = nil, _ found: String, _ expected: String
) -> Refusal {
  Refusal(
    [Edit(login + "/alert", dismissed), Edit(login + "/alert" + pointer, json)],
    at: login + "/alert" + (place ?? pointer), found: found, expected: expected)
}
