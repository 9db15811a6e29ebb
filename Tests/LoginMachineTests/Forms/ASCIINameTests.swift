import LoginMachine
import Testing

@Suite("Identifier names")
struct ASCIINameTests {
  @Test("a name has 1 to 64 letters, digits, underscores, hyphens and dots", arguments: 0...255 as ClosedRange<UInt8>)
  func bytes(byte: UInt8) {
    let isPart = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-.".utf8.contains(byte)
    #expect(ASCIIName.isPart(byte) == isPart)
    #expect(ASCIIName.isName([0x61, byte]) == isPart)
  }

  @Test("a name has at least one byte and at most 64", arguments: [(0, false), (1, true), (64, true), (65, false)])
  func length(count: Int, isName: Bool) {
    #expect(ASCIIName.isName([UInt8](repeating: 0x61, count: count)) == isName)
  }
}
