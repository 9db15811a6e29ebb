import Accounts
import Testing

@Suite struct PunycodeTests {
  /// RFC 3492, section 7.1, (A) to (S).
  @Test(
    arguments: [
      (
        "\u{644}\u{64A}\u{647}\u{645}\u{627}\u{628}\u{62A}\u{643}\u{644}\u{645}\u{648}\u{634}\u{639}\u{631}\u{628}\u{64A}\u{61F}",
        "egbpdaj6bu4bxfgehfvwxn"
      ),
      (
        "\u{4ED6}\u{4EEC}\u{4E3A}\u{4EC0}\u{4E48}\u{4E0D}\u{8BF4}\u{4E2D}\u{6587}",
        "ihqwcrb4cv8a8dqg056pqjye"
      ),
      (
        "\u{4ED6}\u{5011}\u{7232}\u{4EC0}\u{9EBD}\u{4E0D}\u{8AAA}\u{4E2D}\u{6587}",
        "ihqwctvzc91f659drss3x8bo0yb"
      ),
      (
        "Pro\u{10D}prost\u{11B}nemluv\u{ED}\u{10D}esky",
        "Proprostnemluvesky-uyb24dma41a"
      ),
      (
        "\u{5DC}\u{5DE}\u{5D4}\u{5D4}\u{5DD}\u{5E4}\u{5E9}\u{5D5}\u{5D8}\u{5DC}\u{5D0}\u{5DE}\u{5D3}\u{5D1}\u{5E8}\u{5D9}\u{5DD}\u{5E2}\u{5D1}\u{5E8}\u{5D9}\u{5EA}",
        "4dbcagdahymbxekheh6e0a7fei0b"
      ),
      (
        "\u{92F}\u{939}\u{932}\u{94B}\u{917}\u{939}\u{93F}\u{928}\u{94D}\u{926}\u{940}\u{915}\u{94D}\u{92F}\u{94B}\u{902}\u{928}\u{939}\u{940}\u{902}\u{92C}\u{94B}\u{932}\u{938}\u{915}\u{924}\u{947}\u{939}\u{948}\u{902}",
        "i1baa7eci9glrd9b2ae1bj0hfcgg6iyaf8o0a1dig0cd"
      ),
      (
        "\u{306A}\u{305C}\u{307F}\u{3093}\u{306A}\u{65E5}\u{672C}\u{8A9E}\u{3092}\u{8A71}\u{3057}\u{3066}\u{304F}\u{308C}\u{306A}\u{3044}\u{306E}\u{304B}",
        "n8jok5ay5dzabd5bym9f0cm5685rrjetr6pdxa"
      ),
      (
        "\u{C138}\u{ACC4}\u{C758}\u{BAA8}\u{B4E0}\u{C0AC}\u{B78C}\u{B4E4}\u{C774}\u{D55C}\u{AD6D}\u{C5B4}\u{B97C}\u{C774}\u{D574}\u{D55C}\u{B2E4}\u{BA74}\u{C5BC}\u{B9C8}\u{B098}\u{C88B}\u{C744}\u{AE4C}",
        "989aomsvi5e83db1d2a355cv1e0vak1dwrv93d5xbh15a0dt30a5jpsd879ccm6fea98c"
      ),
      (
        "\u{43F}\u{43E}\u{447}\u{435}\u{43C}\u{443}\u{436}\u{435}\u{43E}\u{43D}\u{438}\u{43D}\u{435}\u{433}\u{43E}\u{432}\u{43E}\u{440}\u{44F}\u{442}\u{43F}\u{43E}\u{440}\u{443}\u{441}\u{441}\u{43A}\u{438}",
        "b1abfaaepdrnnbgefbadotcwatmq2g4l"
      ),
      (
        "Porqu\u{E9}nopuedensimplementehablarenEspa\u{F1}ol",
        "PorqunopuedensimplementehablarenEspaol-fmd56a"
      ),
      (
        "T\u{1EA1}isaoh\u{1ECD}kh\u{F4}ngth\u{1EC3}ch\u{1EC9}n\u{F3}iti\u{1EBF}ngVi\u{1EC7}t",
        "TisaohkhngthchnitingVit-kjcr8268qyxafd2f1b9g"
      ),
      (
        "3\u{5E74}B\u{7D44}\u{91D1}\u{516B}\u{5148}\u{751F}",
        "3B-ww4c5e180e575a65lsy2b"
      ),
      (
        "\u{5B89}\u{5BA4}\u{5948}\u{7F8E}\u{6075}-with-SUPER-MONKEYS",
        "-with-SUPER-MONKEYS-pc58ag80a8qai00g7n9n"
      ),
      (
        "Hello-Another-Way-\u{305D}\u{308C}\u{305E}\u{308C}\u{306E}\u{5834}\u{6240}",
        "Hello-Another-Way--fc4qua05auwb3674vfr0b"
      ),
      (
        "\u{3072}\u{3068}\u{3064}\u{5C4B}\u{6839}\u{306E}\u{4E0B}2",
        "2-u9tlzr9756bt3uc0v"
      ),
      (
        "Maji\u{3067}Koi\u{3059}\u{308B}5\u{79D2}\u{524D}",
        "MajiKoi5-783gue6qz075azm5e"
      ),
      (
        "\u{30D1}\u{30D5}\u{30A3}\u{30FC}de\u{30EB}\u{30F3}\u{30D0}",
        "de-jg4avhby1noc0d"
      ),
      (
        "\u{305D}\u{306E}\u{30B9}\u{30D4}\u{30FC}\u{30C9}\u{3067}",
        "d9juau41awczczp"
      ),
      (
        "-> $1.00 <-",
        "-> $1.00 <--"
      ),
    ])
  func `the examples in RFC 3492 are encoded as the RFC says`(text: String, code: String) {
    #expect(Punycode.encode(Array(text.unicodeScalars)) == code)
  }

  @Test func `a text longer than any label of a domain name is refused`() {
    #expect(Punycode.encode(Array(repeating: "\u{10FFFF}", count: 257)) == nil)
    #expect(Punycode.encode(Array(repeating: "\u{10FFFF}", count: 256)) != nil)
    #expect(Punycode.encode([]) == "")
  }
}
