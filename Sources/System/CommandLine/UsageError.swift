/// An invalid command line. A program that reports this error exits with status 2.
public struct UsageError: Error, Equatable, Sendable {
  /// The error as a part of a sentence: without a capital letter and a full stop.
  public let text: String

  public init(_ text: String) { self.text = text }
}
