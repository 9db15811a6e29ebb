/// Whether `text` is an address that browsers accept in `<input type=email>`: the "valid e-mail
/// address" production of the WHATWG HTML standard, which deliberately narrows RFC 5322.
///
///     /^[a-zA-Z0-9.!#$%&'*+\/=?^_`{|}~-]+@label(?:\.label)*$/
///     label: [a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?
///
/// As in browsers, surrounding blanks are ignored, and labels may have letters of every script.
/// Other invisible characters are ignored too, and full-width letters count as their ASCII forms:
/// see `TypedAddress`.
func isEmailAddress(_ text: Span<UInt8>) -> Bool {
  var index = 0
  while index < text.count, isLocalPartByte(text[index]) { index += 1 }
  guard index > 0, index < text.count, text[index] == 0x40 else { return mayBeAddress(text, from: index) }
  index += 1
  while true {
    let start = index
    while index < text.count, isAlphanumeric(text[index]) || text[index] == 0x2D { index += 1 }
    let length = index - start
    guard length >= 1, length <= 63, text[start] != 0x2D, text[index - 1] != 0x2D else {
      return mayBeAddress(text, from: index)
    }
    if index == text.count { return true }
    guard text[index] == 0x2E else { return mayBeAddress(text, from: index) }
    index += 1
  }
}

/// Whether the text may be an email address although it is not a plain ASCII one. `index` is the
/// position up to which the text was checked. If the text ends there or continues with a visible
/// ASCII character, the result is false.
private func mayBeAddress(_ text: Span<UInt8>, from index: Int) -> Bool {
  guard index < text.count, text[index] <= 0x20 || text[index] >= 0x7F else { return false }
  return TypedAddress.isAddress(text)
}

@inline(__always) private func isAlphanumeric(_ byte: UInt8) -> Bool {
  byte >= 0x61 && byte <= 0x7A || byte >= 0x41 && byte <= 0x5A || byte >= 0x30 && byte <= 0x39
}

@inline(__always) func isLocalPartByte(_ byte: UInt8) -> Bool {
  if isAlphanumeric(byte) { return true }
  switch byte {
  // . ! # $ % & ' * + / = ? ^ _ ` { | } ~ -
  case 0x2E, 0x21, 0x23...0x27, 0x2A, 0x2B, 0x2F, 0x3D, 0x3F, 0x5E...0x60, 0x7B...0x7E, 0x2D: return true
  default: return false
  }
}
