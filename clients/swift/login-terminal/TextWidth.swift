/// How many columns of the terminal a character takes: 0, 1 or 2.
///
/// The wide ranges are those of Unicode's East Asian Width (UAX 11, classes W and F), joined across
/// unassigned gaps.
func displayWidth(_ character: Character) -> Int {
  guard let first = character.unicodeScalars.first else { return 0 }
  if character.unicodeScalars.contains("\u{FE0F}") { return 2 }  // asks for the emoji form
  if first.properties.isEmojiPresentation { return 2 }
  switch first.value {
  case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x4DBF, 0x4E00...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7A3,
    0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x17000...0x18CFF, 0x1AFF0...0x1B2FF,
    0x20000...0x3FFFD:
    return 2
  default:
    break
  }
  switch first.properties.generalCategory {
  case .nonspacingMark, .enclosingMark, .format, .control: return 0
  default: return 1
  }
}

func displayWidth(_ text: String) -> Int { text.reduce(0) { $0 + displayWidth($1) } }

/// The text without control characters and bidirectional overrides. These could send commands to
/// the terminal or reorder the line.
func printable(_ text: String) -> String {
  var result = String.UnicodeScalarView()
  for scalar in text.unicodeScalars {
    switch scalar.value {
    case 0x09, 0x0A, 0x0D, 0x2028, 0x2029: result.append(" ")
    case 0..<0x20, 0x7F..<0xA0, 0x202A...0x202E, 0x2066...0x2069: result.append("\u{FFFD}")
    default: result.append(scalar)
    }
  }
  return String(result)
}

/// The end of the text that fits into `limit` columns, with `…` in place of the beginning.
func tail(_ text: String, fitting limit: Int) -> String {
  guard displayWidth(text) > limit else { return text }
  var kept: [Character] = []
  var width = 1
  for character in text.reversed() {
    width += displayWidth(character)
    if width > limit { break }
    kept.append(character)
  }
  return "…" + String(kept.reversed())
}

/// The text in pieces of at most `limit` columns, split anywhere.
func chunks(_ text: String, of limit: Int) -> [String] {
  text.reduce(into: [String]()) { pieces, character in
    if let last = pieces.last, displayWidth(last) + displayWidth(character) <= limit {
      pieces[pieces.count - 1].append(character)
    } else {
      pieces.append(String(character))
    }
  }
}

/// The text in lines of at most `limit` columns, split at spaces, and within a word only if it is
/// longer than a line.
func wrap(_ text: String, at limit: Int) -> [String] {
  var lines: [String] = []
  var line = ""
  for word in text.split(separator: " ") {
    if !line.isEmpty && displayWidth(line) + 1 + displayWidth(String(word)) <= limit {
      line += " " + word
      continue
    }
    if !line.isEmpty { lines.append(line) }
    line = ""
    for character in word {
      if displayWidth(line) + displayWidth(character) > limit && !line.isEmpty {
        lines.append(line)
        line = ""
      }
      line.append(character)
    }
  }
  return lines + (line.isEmpty ? [] : [line])
}
