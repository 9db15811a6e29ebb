/// An invalid command line. Programs exit with status 2 because of it.
public struct UsageError: Error, Equatable, Sendable {
  /// The error as a part of a sentence: without a capital letter and a full stop.
  public let text: String

  public init(_ text: String) { self.text = text }
}
