import Glibc
import SecretMemory
import System

/// The process that an engine under replay starts as its authenticator. It hands its standard input and output to the
/// replayer, which from then on communicates with the engine itself. The process only remains so that it can exit when
/// the transcript says so.
public enum AuthenticatorRelay {
  /// The subcommand's name.
  public static let command = "replay-authenticator"

  /// Runs with the arguments after the subcommand's name: the name of the replayer's socket. Returns the exit status.
  public static func run(arguments: [String]) -> Int32 {
    Hardening.applySignals()
    guard let name = arguments.first, arguments.count == 1 else { return 2 }
    do throws(SystemError) {
      let socket = try LocalSocket.connect(name)
      try LocalSocket.send(0, 1, through: socket)
      Descriptor.close(0)
      Descriptor.close(1)
      // After this byte the replayer has the only descriptors.
      var byte: UInt8 = 0
      _ = withUnsafeBytes(of: byte) { Descriptor.write(socket, $0) }
      while read(socket, &byte, 1) < 0, errno == EINTR {}
      return 0
    } catch {
      return 1
    }
  }
}
