import FlowFiles
import LoginForms
import LoginProtocol

/// What the ids of challenges begin with in walks, and of no other screens.
let challengePrefix = "challenge."

/// The challenges that a walk meets after a screen: something secret with a link, items that come and go and have to be the same, nothing to enter.
func walkedChallenges(after screen: Screen, _ strings: StringTable) -> [ChallengeTemplate] {
  let texts = [
    #"{"id":"challenge.code","title":"A code","links":[{"id":"resend","title":"Again"},{"id":"other","title":"Another way"}],"#
      + #""sections":[{"id":"s","items":[{"id":"note","kind":"input","inputType":"text","value":"here","readOnly":true},"#
      + #"{"id":"key","apiKey":"key","kind":"external","type":"key","request":{ "a": [ 1.0 ] }},"#
      + #"{"id":"device","kind":"code","format":"plain","text":"WDJB-MJHT"},"#
      + #"{"id":"help","kind":"link","title":"Help","url":"mailto:help@example.com"},"#
      + #"{"id":"code","apiKey":"code","kind":"input","inputType":"oneTimeCode","rules":[{"rule":"required","message":"m"}]}"#
      + #"]}]}"#,
    #"{"id":"challenge.change","title":"A \"new\" password","sections":[{"id":"s","title":"S","items":["#
      + #"{"id":"way","apiKey":"way","kind":"selection","options":[{"id":"a","title":"A"},{"id":"b","title":"B"}],"value":"a"},"#
      + #"{"id":"on","apiKey":"on","kind":"switch","value":false,"rules":[{"rule":"required","message":"m"}]}]},"#
      + #"{"id":"t","visibleWhen":{"item":"way","is":"b"},"items":["#
      + #"{"id":"new","apiKey":"new","kind":"input","inputType":"newPassword","rules":[{"rule":"minLength","length":3,"message":"m"}]},"#
      + #"{"id":"again","kind":"input","inputType":"newPassword","rules":[{"rule":"equalTo","item":"new","message":"n"}]}"#
      + #"]},"#
      + #"{"id":"u","items":[{"id":"why","kind":"input","inputType":"text"},{"id":"more","kind":"input","inputType":"text","#
      + #""visibleWhen":{"any":[{"item":"why","matches":".*@.*"},{"all":[{"item":"on","is":true},{"not":"#
      + #"{"item":"why","isEmpty":true}}]}]}}]}]}"#,
    #"{"id":"challenge.wait","title":"Wait","sections":[{"id":"s","items":[{"id":"text","kind":"text","title":"It is 42."}]}]}"#,
    #"{"id":"challenge.nothing","title":"Nothing","sections":[]}"#,
  ]
  return texts.compactMap { text in
    guard let read = try? ChallengeFile.read(Array(text.utf8), name: "challenge", origin: screen, strings: strings)
    else {
      return nil
    }
    return ChallengeTemplate(read, strings, locale: "en")
  }
}
