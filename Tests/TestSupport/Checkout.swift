public import Foundation

/// The folder of the project's sources, with documents, transcripts and fixtures that tests read.
public enum Checkout {
  public static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()
  public static let tests = root.appending(path: "Tests")
}
