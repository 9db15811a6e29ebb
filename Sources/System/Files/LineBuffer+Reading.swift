import Glibc
public import SecretMemory

/// The result of reading a descriptor once.
public enum Reading: Equatable, Sendable {
  /// The number of bytes read; 0 only if there was no room.
  case bytes(Int)
  case wouldBlock
  case endOfFile
  case failed(SystemError)
}

extension Descriptor {
  /// Calls `read(2)`, and calls it again if a signal interrupts it. `memory` must not be empty.
  public static func read(_ descriptor: Int32, into memory: UnsafeMutableRawBufferPointer) -> Reading {
    while true {
      let count = Glibc.read(descriptor, memory.baseAddress, memory.count)
      if count > 0 { return .bytes(count) }
      if count == 0 { return .endOfFile }
      switch errno {
      case EINTR: continue
      case EAGAIN: return .wouldBlock
      default: return .failed(.last("read"))
      }
    }
  }
}

extension LineBuffer {
  /// Reads a descriptor once. Before the next call, take all lines, or at least so many that there
  /// is room again.
  public mutating func fill(from descriptor: Int32) -> Reading {
    var reading = Reading.bytes(0)
    append { memory in
      reading = Descriptor.read(descriptor, into: memory)
      return if case .bytes(let count) = reading { count } else { 0 }
    }
    return reading
  }
}
