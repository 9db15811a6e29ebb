import Accounts
import SecretMemory
import Testing

/// Codes of every kind are read as the user means them.
@Suite struct TypedCodeTests {
  /// Separators that are ignored at any position.
  private static let separators = [
    " ", "\t", "\n", "\r\n", "\u{A0}", "\u{2007}", "\u{202F}", "\u{3000}", "\u{2800}", "\u{85}", "\u{2028}", "-",
    "\u{2010}", "\u{2011}",
    "\u{2013}", "\u{2014}", "\u{2212}", "\u{FF0D}", "\u{FE63}", "\u{30FC}", "\u{FF70}", "\u{58A}", "\u{5BE}",
    "\u{301C}", "\u{AD}", "\u{200B}",
    "\u{200C}", "\u{200D}", "\u{2060}", "\u{FEFF}", "\u{200E}", "\u{200F}", "\u{202A}", "\u{2068}", "\u{FE0F}",
    "\u{E0020}", " \u{2014}\u{200B} ",
  ]

  @Test(arguments: separators)
  func `blanks, line ends, dashes and invisible characters in a code are ignored`(sign: String) {
    for text in [sign + "123456", "123" + sign + "456", "123456" + sign, "1\(sign)2\(sign)3456"] {
      #expect(digits(text) == "123456")
    }
    for text in [sign + "abcde12345", "ABCDE" + sign + "12345", "abcde12345" + sign] {
      #expect(letters(text) == "ABCDE12345")
    }
  }

  @Test(
    arguments: [
      "１２３４５６", "١٢٣٤٥٦", "۱۲۳۴۵۶", "१२३४५६", "১২৩৪৫৬", "௧௨௩௪௫௬", "๑๒๓๔๕๖", "១២៣៤៥៦", "၁၂၃၄၅၆", "᠑᠒᠓᠔᠕᠖", "𝟏𝟐𝟑𝟒𝟓𝟔",
      "𝟭𝟮𝟯𝟰𝟱𝟲",
      "①②③④⑤⑥", "¹²³⁴⁵⁶", "₁₂₃₄₅₆", "12٣۴5６", "1\u{FE0F}2\u{FE0F}3\u{FE0F}456", "𞥑𞥒𞥓𞥔𞥕𞥖",
    ])
  func `digits of every script and form in a code are read as ASCII digits`(text: String) {
    #expect(digits(text) == "123456")
    #expect(letters(text + "abcd") == "123456ABCD")
  }

  @Test(
    arguments: [
      ("ａｂｃｄｅ－ｆｇｈｊｋ", "ABCDEFGHJK"), ("ＡＢＣＤＥＦＧＨＪＫ", "ABCDEFGHJK"), ("𝐀𝐁𝐂𝐃𝐄fghjk", "ABCDEFGHJK"),
      ("ⓐⓑⓒⓓⓔⓕⓖⓗⓙⓚ", "ABCDEFGHJK"),
      ("ＯｏＩｉＬｌ0123", "0011110123"),
    ])
  func `letters of every form in a code are read as ASCII letters`(text: String, code: String) {
    #expect(letters(text) == code)
  }

  @Test(
    arguments: [
      "", "12345", "1234567", "12345x", "+12345", "123.456", "123,456", "12345½", "12345\0", "12345\u{1}", "12345Ⅵ",
      "12345六", "123456!",
      "\u{1B}[200~123456", "-", " ",
    ])
  func `a text that cannot be a code of six digits is refused`(text: String) { #expect(digits(text) == nil) }

  @Test(arguments: [
    "", "ABCDEFGHJ", "ABCDEFGHJKM", "ABCDEFGHJU", "ABCDEFGHJÄ", "АBCDEFGHJK", "ABCDEFGHJ\0", "ABCDEFGHJ_",
  ])
  func `a text that cannot be a mailed code is refused`(text: String) { #expect(letters(text) == nil) }

  @Test(arguments: [[0xFF], [0xC2], [0xE2, 0x80], [0xED, 0xA0, 0x80]] as [[UInt8]])
  func `bytes that are not valid UTF-8 are refused as a code`(bytes: [UInt8]) {
    for place in 0...6 {
      var text = Array("123456".utf8)
      text.insert(contentsOf: bytes, at: place)
      #expect(text.withUnsafeBytes { TypedCode.digits($0, count: 6) == nil })
    }
  }

  private func digits(_ text: String) -> String? {
    Array(text.utf8).withUnsafeBytes { bytes -> String? in
      guard let code = TypedCode.digits(bytes, count: 6) else { return nil }
      return code.withBytes { String(decoding: $0, as: UTF8.self) }
    }
  }

  private func letters(_ text: String) -> String? {
    Array(text.utf8).withUnsafeBytes { bytes -> String? in
      guard let code = TypedCode.letters(bytes, count: 10) else { return nil }
      return code.withBytes { String(decoding: $0, as: UTF8.self) }
    }
  }
}
