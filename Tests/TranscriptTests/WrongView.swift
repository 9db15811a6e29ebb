import Foundation
import Testing

/// A view that follows a transcript but deviates from it in one way.
struct WrongView: Sendable, CustomTestStringConvertible {
  /// How the view's lines differ from the transcript's. A line is named by a text that it contains;
  /// if several lines contain the text, the last one is meant.
  enum Change: Sendable {
    /// Replaces a part in all lines.
    case replace(String, with: String)
    case replaceLast(String, with: String)
    case leaveOut(String)
    /// Adds this line after the view's last line.
    case add(String)
    /// Swaps the lines that contain these two texts.
    case swap(String, String)
    /// Closes the view's end of the connection before the line that contains this text.
    case stopBefore(String)
  }

  var testDescription: String
  var file: String
  var change: Change
  /// A part of the message that the mock must print.
  var complaint: String

  init(_ description: String, _ file: String, _ change: Change, _ complaint: String) {
    testDescription = description
    self.file = file
    self.change = change
    self.complaint = complaint
  }

  /// Makes the deviating view from a transcript. Returns the view and the index of its first wrong
  /// step.
  func view(of path: String) throws -> (view: TranscriptView, first: Int)? {
    var view = try TranscriptView(path)
    let lines = view.steps.map { step in
      if case .write(let bytes) = step { String(decoding: bytes, as: UTF8.self) } else { "" }
    }
    func last(_ part: String) -> Int? { lines.lastIndex { $0.contains(part) } }
    func replace(_ part: String, _ other: String, at index: Int) {
      view.steps[index] = .write(Data(lines[index].replacing(part, with: other).utf8))
    }
    switch change {
    case .replace(let part, let other):
      for index in lines.indices where lines[index].contains(part) { replace(part, other, at: index) }
      return lines.firstIndex { $0.contains(part) }.map { (view, $0) }
    case .replaceLast(let part, let other):
      guard let index = last(part) else { return nil }
      replace(part, other, at: index)
      return (view, index)
    case .leaveOut(let part):
      guard let index = last(part) else { return nil }
      view.steps.remove(at: index)
      return (view, index)
    case .add(let line):
      view.steps.append(.write(Data("\(line)\n".utf8)))
      return (view, view.steps.count - 1)
    case .swap(let part, let other):
      guard let index = last(part), let otherIndex = last(other), index != otherIndex else { return nil }
      view.steps.swapAt(index, otherIndex)
      return (view, min(index, otherIndex))
    case .stopBefore(let part):
      guard let index = last(part) else { return nil }
      view.steps.removeSubrange(index...)
      return (view, index)
    }
  }
}
