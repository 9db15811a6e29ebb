import CAccountLibraries

/// Passwords that attackers try first, recognised by pattern rather than by a long list: a
/// well-known word with a few characters around it, a repetition, or keys that are adjacent on a
/// keyboard. `Blocklist` is for other common passwords.
enum CommonPasswords {
  /// Sequences of adjacent keys or letters. A text that follows one in either direction, wrapping
  /// around at its ends, is a common password.
  private static let rows: [[utf8proc_int32_t]] = [
    "0123456789", "abcdefghijklmnopqrstuvwxyz", "qwertyuiopasdfghjklzxcvbnm", "qwertzuiopasdfghjklyxcvbnm",
    "azertyuiopqsdfghjklmwxcvbn", "qwertyuiop[]", "asdfghjkl;'", "zxcvbnm,./",
    "1qaz2wsx3edc4rfv5tgb6yhn7ujm8ik,9ol.0p;/",
    "qazwsxedcrfvtgbyhnujmikolp", "1q2w3e4r5t6y7u8i9o0p", "!@#$%^&*()", "йцукенгшщзхъфывапролджэячсмитьбю",
    "абвгдежзийклмнопрстуфхцчшщъыьэюя",
  ].map { PasswordVariants.folded($0) }

  /// Words of at least four letters that are used in passwords worldwide.
  private static let words: [[utf8proc_int32_t]] = """
    abcdef access account admin administrator alexander amanda america andrea andrew angel anthony apple arsenal asdf asdfgh ashley
    asshole august austin azerty babygirl bailey banana barcelona baseball basketball batman beautiful benfica biteme blink blessed
    bonjour boomer boston brandon butterfly changeme changeit charlie cheese chelsea chicken chocolate chocolat christian
    christmas computer cookie correcthorsebatterystaple cowboy dallas daniel december default
    demo diamond dragon eagles elizabeth family ferrari flower football forever freedom friends fuckme fuckyou gandalf george
    ginger google guest hallo hannah harley heaven hello helloworld hockey hotmail hunter iceman iloveu iloveyou internet jackson
    january jasmine jennifer jessica jesus jesuschrist jonathan jordan joshua junior justin killer knight kristina ladies lakers
    letmein letmeinnow lifeisgood liverpool login london looking love lovely loveme loveyou madrid maggie manager marina
    marseille master matrix matthew melissa mercedes merlin michael michelle minecraft monday money monkey monster mustang mynoob
    naruto nicole nintendo november nothing october office onepiece oracle orange pass passport passwd passwort password passwordpassword
    patrick peanut pepper please pokemon princess purple qazwsx queen qwert qwerty qwertyuiop qwertz rainbow ranger realmadrid
    robert root samantha samsung scooter secret secure security sesame september server shadow silver snoopy soccer sommer spring
    starwars steelers summer sunday sunflower sunshine superman supervisor support sweet swordfish system taylor temp temporary
    test tester testing thomas thunder tigger trustno trustnoone unknown user vanessa victoria welcome whatever william windows
    winter xbox yamaha yankees zaq zxcvbn zxcvbnm
    hallowelt schatz ichliebedich motdepasse soleil doudou contraseña teamo tequiero parola amore ciao senha
    wachtwoord haslo heslo salasana lösenord пароль привет любовь natasha
    """.split { $0 == " " || $0 == "\n" }.map { PasswordVariants.folded(String($0)) }

  /// How many digits and signs a common password may have in addition to its word.
  private static let maximumExtraCharacters = 8
  /// How many sequences a common password may consist of.
  private static let maximumRuns = 3
  /// How many characters a sequence must have at least.
  private static let shortestRun = 3

  static func contain(_ text: FoldedText) -> Bool {
    // A text of marks without letters folds to nothing, and so does invalid text.
    guard !text.isEmpty else { return false }
    return isRepetition(text) || isRuns(text) || words.contains { isVariation(of: $0, text) }
  }

  /// Whether the text repeats a unit of one to four characters.
  private static func isRepetition(_ text: FoldedText) -> Bool {
    (1...4).contains { unit in
      text.count >= 2 * unit && (unit..<text.count).allSatisfy { text[$0] == text[$0 - unit] }
    }
  }

  /// Whether the text is one word, once or repeatedly, with a few digits and signs around it.
  private static func isVariation(of word: [utf8proc_int32_t], _ text: FoldedText) -> Bool {
    var (place, others, isThere) = (0, 0, false)
    while place < text.count {
      if PasswordVariants.stands(word, in: text, at: place) {
        place += word.count
        isThere = true
      } else if !PasswordVariants.isLetter(text[place]), others < maximumExtraCharacters {
        place += 1
        others += 1
      } else {
        return false
      }
    }
    return isThere
  }

  /// Whether the text consists of a few runs, each of which follows one of `rows` or repeats one
  /// character.
  private static func isRuns(_ text: FoldedText) -> Bool {
    var place = 0
    for _ in 0..<maximumRuns {
      let length = rows.reduce(repetition(text, from: place)) { max($0, run(along: $1, text, from: place)) }
      guard length >= shortestRun else { return false }
      place += length
      guard place < text.count else { return true }
    }
    return false
  }

  private static func repetition(_ text: FoldedText, from start: Int) -> Int {
    text[start...].prefix { $0 == text[start] }.count
  }

  /// How far the text follows a row in one direction.
  private static func run(along row: [utf8proc_int32_t], _ text: FoldedText, from start: Int) -> Int {
    guard let first = row.firstIndex(of: text[start]) else { return 0 }
    return max(run(along: row, by: 1, text, start, first), run(along: row, by: row.count - 1, text, start, first))
  }

  private static func run(
    along row: [utf8proc_int32_t], by step: Int, _ text: FoldedText, _ start: Int, _ first: Int
  ) -> Int {
    var (length, index) = (0, first)
    while start + length < text.count, text[start + length] == row[index] {
      length += 1
      index = (index + step) % row.count
    }
    return length
  }
}
