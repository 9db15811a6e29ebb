import Glibc
@testable import LoginEngine

/// Parses a transcript. If it is valid, replays it with an engine in this process.
enum TranscriptTarget {
  /// A file in memory to which each input is written, because a transcript is read from a file.
  private static let file: (descriptor: CInt, path: String) = {
    var name = Array("/dev/shm/login-fuzz-XXXXXX".utf8CString)
    let descriptor = mkstemp(&name)
    guard descriptor >= 0, unlink(name) == 0 else { fail("there is no memory for a file") }
    return (descriptor, "/proc/self/fd/\(descriptor)")
  }()

  static func run(_ input: UnsafeRawBufferPointer) {
    // Fillings of many megabytes, which are meant for limits of lines, and of which a file could have many.
    if hasLongFilling(input) { return }
    guard ftruncate(file.descriptor, 0) == 0, pwrite(file.descriptor, input.baseAddress, input.count, 0) == input.count
    else { fail("the input cannot be written") }
    do throws(TranscriptError) {
      let transcript = try Transcript(reading: file.path)
      handledLines += transcript.entries.count
      do throws(Player.Failure) { try InProcessReplay.play(transcript, timeout: 1_000) } catch {}
    } catch {
      if error.text.isEmpty { fail("an error says nothing") }
    }
  }

  /// Whether the input may have a member `length` with more than five digits. A transcript can use
  /// it to stand for a text of that length.
  private static func hasLongFilling(_ input: UnsafeRawBufferPointer) -> Bool {
    var digits = 0
    var isLong = false
    for byte in input {
      let isDigit = (0x30...0x39).contains(byte) || byte == 0x65 || byte == 0x45
      digits = isDigit ? digits + 1 : 0
      if digits > 5 { isLong = true }
    }
    // The name can be escaped.
    return isLong && (contains(input, "length") || contains(input, "\\u"))
  }

  private static func contains(_ input: UnsafeRawBufferPointer, _ text: StaticString) -> Bool {
    memoryContains(input, UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }
}
