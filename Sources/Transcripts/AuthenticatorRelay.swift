import EventLoop
import Glibc
import SecretMemory

/// The process that an engine under replay starts as its authenticator: it passes on bytes between the engine and the
/// replayer, and exits when either of them ends.
public enum AuthenticatorRelay {
  /// The subcommand's name.
  public static let command = "replay-authenticator"

  /// Runs with the arguments after the subcommand's name: where the replayer listens. Returns the exit status.
  public static func run(arguments: [String]) -> Int32 {
    Hardening.applySignals()
    guard let name = arguments.first, arguments.count == 1 else { return 2 }
    do throws(SystemError) {
      let socket = try LocalSocket.connect(name)
      let loop = try EventLoop()
      _ = loop.watch(0, .read) { _ in if !pass(from: 0, to: socket) { loop.stop() } }
      _ = loop.watch(socket, .read) { _ in if !pass(from: socket, to: 1) { loop.stop() } }
      loop.run()
      // Before the socket, so that once the replayer sees its end, the engine's next question cannot get lost in here.
      Descriptor.close(0)
      Descriptor.close(1)
      return 0
    } catch {
      return 1
    }
  }

  /// Passes on what there is. Returns whether there can be more.
  private static func pass(from source: Int32, to target: Int32) -> Bool {
    withUnsafeTemporaryAllocation(byteCount: 64 << 10, alignment: 1) { buffer in
      let count = read(source, buffer.baseAddress, buffer.count)
      if count < 0 { return errno == EINTR || errno == EAGAIN }
      var rest = UnsafeRawBufferPointer(rebasing: buffer[..<count])
      while !rest.isEmpty {
        // Both descriptors block, which is all right for who has nothing else to do.
        guard case .written(let taken) = Descriptor.write(target, rest) else { return false }
        rest = UnsafeRawBufferPointer(rebasing: rest[taken...])
      }
      return count > 0
    }
  }
}
