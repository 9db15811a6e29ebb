import Glibc
import JSONCodec
import System

/// Sends a whole input through a program as fast as the program accepts it, and collects its
/// output. All bytes are in memory, and nothing is checked meanwhile.
enum Pump {
  /// How to recognise that the program has written all of its output.
  enum End {
    case bytes(Int)
    case lines(Int)
    /// The response to `Line.barrier`, the last line of the input, has arrived.
    case barrier
  }

  private static let chunk = 1 << 20
  /// How long the program may make no progress before it counts as failed, in milliseconds.
  private static let timeout: Int32 = 20_000

  /// Sends the input in a buffer through a program. Returns the nanoseconds from the first byte
  /// written to the last byte read.
  @discardableResult static func run(
    _ child: ChildProcess, input: borrowing ByteBuffer, output: OutputBuffer, until end: End
  ) throws(Failure) -> UInt64 {
    try input.withBytes { bytes throws(Failure) in try run(child, input: bytes, output: output, until: end) }
  }

  /// Sends the input through a program. Returns the nanoseconds from the first byte written to the
  /// last byte read.
  @discardableResult static func run(
    _ child: ChildProcess, input: UnsafeRawBufferPointer, output: OutputBuffer, until end: End
  ) throws(Failure) -> UInt64 {
    guard let inward = child.input, let outward = child.output else { throw Failure("the pipes are closed") }
    let begin = Clock.now()
    output.removeAll()
    var written = 0
    var lines = 0
    while true {
      var moved = false
      if written < input.count {
        let part = UnsafeRawBufferPointer(rebasing: input[written..<min(input.count, written + chunk)])
        switch Descriptor.write(inward, part) {
        case .written(let count):
          written += count
          moved = true
        case .wouldBlock: break
        case .closed: throw Failure("the program has ended before its input")
        case .failed(let error): throw Failure("\(error)")
        }
      }
      let before = output.count
      if try read(outward, output) {
        moved = true
        if case .lines = end { lines += output.lineEnds(from: before) }
        if written == input.count, isComplete(output, end, lines) { return Clock.now() - begin }
      }
      if !moved { try wait(inward, outward, writing: written < input.count) }
    }
  }

  /// Reads from the program's output once. Returns whether any bytes arrived.
  private static func read(_ outward: Int32, _ output: OutputBuffer) throws(Failure) -> Bool {
    let room = output.room
    guard room.count > 0 else { throw Failure("there is more output than expected") }
    let count = Glibc.read(outward, room.baseAddress, min(room.count, chunk))
    if count > 0 {
      output.added(count)
      return true
    }
    if count == 0 { throw Failure("the program has ended before its output was complete") }
    guard errno == EAGAIN || errno == EINTR else { throw Failure("its output cannot be read") }
    return false
  }

  private static func wait(_ inward: Int32, _ outward: Int32, writing: Bool) throws(Failure) {
    var descriptors = [pollfd(fd: outward, events: Int16(POLLIN), revents: 0)]
    if writing { descriptors.append(pollfd(fd: inward, events: Int16(POLLOUT), revents: 0)) }
    let ready = poll(&descriptors, nfds_t(descriptors.count), timeout)
    if ready == 0 { throw Failure("the program makes no progress") }
  }

  private static func isComplete(_ output: OutputBuffer, _ end: End, _ lines: Int) -> Bool {
    switch end {
    case .bytes(let expected): return output.count >= expected
    case .lines(let expected): return lines >= expected
    case .barrier: return Line.endsWithBarrier(output.bytes)
    }
  }
}
