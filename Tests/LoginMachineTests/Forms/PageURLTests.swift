import LoginMachine
import Testing

struct PageURLTests {
  @Test(
    "a link's URL may lead to a web page or an email address",
    arguments: [
      "https://example.com", "http://a", "https://example.com/", "https://example.com:8443/terms?for=a&b=c#top",
      "http://[::1]:8080/x", "https://xn--exmple-cua.com/%C3%A4?q=%2f", "https://a/?u=https://b@c/", "https://a#x@y",
      "mailto:a@b.c", "mailto:?to=a@b.c", "mailto:a@b.c?subject=So%20be%20it", "https://a/it's;(ok)*,+~!$",
      "https://example.com/" + String(repeating: "x", count: 2028),
    ])
  func accepted(url: String) { #expect(PageURL.isPageURL(url.utf8)) }

  @Test(
    "a link's URL that leads to neither a web page nor an email address is refused",
    arguments: [
      "", "https:", "https://", "https:///a", "https://?a", "mailto:", "example.com", "/terms", "//example.com",
      "javascript:alert(1)", "file:///etc/passwd", "data:text/html,x", "tel:+431", "HTTPS://example.com",
      "Mailto:a@b.c", " https://a", "https://a ", "https://a/b c", "https://a/\n", "https://a/\u{0}",
      "https://a/\u{1B}]8",
      "https://a@b", "https://a:b@c/", "https://a\\@b", "https://a\\b", "https://\u{E4}.com", "https://a/\u{202E}",
      "https://a/%", "https://a/%4", "https://a/%zz", "https://a%/", "https://a/[b]", "https://a/<b>", "https://a/\"",
      "https://a/{b}", "https://a/|", "https://a/^", "https://a/`", "mailto:a b", "mailto:[a]",
      "https://example.com/" + String(repeating: "x", count: 2029),
    ])
  func refused(url: String) { #expect(!PageURL.isPageURL(url.utf8)) }
}
