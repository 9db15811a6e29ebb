/// The reason why there are no figures: a program did not start, did not answer, or answered
/// wrongly.
struct Failure: Error {
  let text: String

  init(_ text: String) { self.text = text }
}
