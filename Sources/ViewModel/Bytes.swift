import JSONCodec

package func same(_ left: [UInt8], _ right: UnsafeRawBufferPointer) -> Bool {
  left.withUnsafeBytes { sameBytes($0, right) }
}

package func starts(_ bytes: UnsafeRawBufferPointer, with prefix: StaticString) -> Bool {
  let prefix = UnsafeRawBufferPointer(start: prefix.utf8Start, count: prefix.utf8CodeUnitCount)
  return bytes.count >= prefix.count && sameBytes(UnsafeRawBufferPointer(rebasing: bytes[..<prefix.count]), prefix)
}

package func string(_ bytes: UnsafeRawBufferPointer) -> String { String(decoding: bytes, as: UTF8.self) }
package func string(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }
