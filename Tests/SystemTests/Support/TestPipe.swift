import Glibc
import System
import TestSupport

/// A pipe of which a test holds both ends.
final class TestPipe {
  let readEnd: Int32
  let writeEnd: Int32
  private var isWriteEndOpen = true
  private var isReadEndOpen = true

  init() throws {
    (readEnd, writeEnd) = try Descriptor.pipe()
    try Descriptor.setNonblocking(readEnd)
  }

  deinit {
    closeReadEnd()
    closeWriteEnd()
  }

  func closeWriteEnd() {
    if isWriteEndOpen { Descriptor.close(writeEnd) }
    isWriteEndOpen = false
  }

  func closeReadEnd() {
    if isReadEndOpen { Descriptor.close(readEnd) }
    isReadEndOpen = false
  }

  func write(_ bytes: some Collection<UInt8>) {
    Array(bytes).withUnsafeBytes { bytes in
      var rest = bytes[...]
      while !rest.isEmpty, case .written(let count) = Descriptor.write(writeEnd, UnsafeRawBufferPointer(rebasing: rest))
      {
        rest = rest.dropFirst(count)
      }
    }
  }

  func write(_ text: String) { write(text.utf8) }
}

func writeText(_ fd: Int32, _ text: String) -> Descriptor.Written {
  Array(text.utf8).withUnsafeBytes { Descriptor.write(fd, $0) }
}

/// Reads a descriptor to its end, or until no byte has arrived for `longestWait`.
func readToEnd(_ fd: Int32) -> String {
  var bytes: [UInt8] = []
  var chunk = [UInt8](repeating: 0, count: 4_096)
  while isReadable(fd) {
    let count = read(fd, &chunk, chunk.count)
    guard count > 0 else { break }
    bytes += chunk[..<count]
  }
  return String(decoding: bytes, as: UTF8.self)
}
