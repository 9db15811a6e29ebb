public import Foundation

/// The project's folder, with the documents, transcripts and fixtures that tests read.
public enum Checkout {
  public static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()
  public static let tests = root.appending(path: "Tests")
}
