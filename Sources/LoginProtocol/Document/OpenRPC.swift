import CPortable

/// The OpenRPC document of the protocol: `protocol/openrpc.json`, embedded in the program.
public enum OpenRPC {
  /// The OpenRPC document on one line, without white space between its tokens.
  public static func line() -> [UInt8] {
    let openRPC = cembedded_openrpc()
    let file = UnsafeBufferPointer(start: openRPC.bytes, count: openRPC.count)
    var line: [UInt8] = []
    line.reserveCapacity(file.count)
    var isInString = false
    var isEscaped = false
    for byte in file {
      if isInString {
        if byte == 0x22, !isEscaped { isInString = false }
        isEscaped = byte == 0x5C && !isEscaped
      } else if byte == 0x20 || byte == 0x0A {
        continue
      } else if byte == 0x22 {
        isInString = true
      }
      line.append(byte)
    }
    return line
  }
}
