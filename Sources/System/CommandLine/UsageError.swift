/// A command line that cannot be used. Programs that find one end with exit status 2.
public struct UsageError: Error, Equatable, Sendable {
  /// What is wrong, as a part of a sentence: without a capital letter and a full stop.
  public let text: String

  public init(_ text: String) { self.text = text }
}
