import LoginMachine
// Until the machine brings these itself.
typealias QuestionID = AttemptID
typealias ConversationID = AttemptID
typealias ClockQuestionID = AttemptID
extension UInt64 {
  init(first: UInt64) { self = first }
  var number: UInt64 { self }
}
