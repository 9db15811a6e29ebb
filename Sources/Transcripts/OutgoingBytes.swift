import EventLoop

/// Bytes on their way into a pipe or socket that may take them slowly.
final class OutgoingBytes {
  private let descriptor: Int32
  private let loop: EventLoop
  private var watch: EventLoop.Watch?
  private var bytes: [UInt8] = []
  private var written = 0
  /// Called once when everything was written, or nobody reads it any more.
  private var finished: (() -> Void)?

  init(_ descriptor: Int32, loop: EventLoop) {
    self.descriptor = descriptor
    self.loop = loop
  }

  func send(_ more: [UInt8]) {
    bytes += more
    write()
  }

  /// Calls `body` once everything was written.
  func finish(_ body: @escaping () -> Void) {
    finished = body
    write()
  }

  /// Gives up what was not written. Do this before the descriptor is closed.
  func stop() {
    if let watch { loop.unwatch(watch) }
    watch = nil
    finished = nil
  }

  private func write() {
    while written < bytes.count {
      switch bytes.withUnsafeBytes({ Descriptor.write(descriptor, UnsafeRawBufferPointer(rebasing: $0[written...])) }) {
      case .written(let count): written += count
      case .wouldBlock:
        if watch == nil { watch = loop.watch(descriptor, .write) { [unowned self] _ in write() } }
        return
      // What became of the reader is told by its own output.
      case .closed, .failed: written = bytes.count
      }
    }
    bytes = []
    written = 0
    let body = finished
    stop()
    body?()
  }
}
