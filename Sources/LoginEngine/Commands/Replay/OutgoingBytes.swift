import System

/// A write queue for a pipe or socket with a slow reader.
final class OutgoingBytes {
  private let descriptor: Int32
  private let loop: EventLoop
  private var watch: EventLoop.Watch?
  private var bytes: [UInt8] = []
  private var written = 0
  /// Called once, when all bytes are written, or when the reader has closed its end.
  private var finished: (() -> Void)?

  init(_ descriptor: Int32, loop: EventLoop) {
    self.descriptor = descriptor
    self.loop = loop
  }

  func send(_ more: [UInt8]) {
    bytes += more
    write()
  }

  /// Calls `body` when all bytes are written.
  func finish(_ body: @escaping () -> Void) {
    finished = body
    write()
  }

  /// Drops unwritten bytes. Call before closing the descriptor.
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
      // The error is ignored: the reader's own output shows why the reader is gone.
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
